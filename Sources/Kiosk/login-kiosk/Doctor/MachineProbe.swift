// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import Glibc
import HostIntegration

/// The machine below the kiosk: board, power, heat, memory cards, limits.
enum MachineProbe {
    static func check(_ configuration: KioskConfiguration) -> [CheckResult] {
        let tree = SystemTree()
        let source = try? SourceSpecification(configuration.sourceText)
        let isSensor = if case .sensor = source { true } else { false }
        let results: [CheckResult?] = [
            BoardCheck.judge(tree, pageSize: sysconf(Int32(_SC_PAGESIZE))),
            PowerCheck.judge(tree), HeatCheck.judge(tree),
            configuration[\.storeDirectory].flatMap { SpaceCheck.judge($0) },
            WearCheck.judge(tree), LimitCheck.judge(tree),
            SensorCheck.judge(tree, isNeeded: isSensor, program: FilmedSensor.executable),
            SpeechCheck.judge(
                tree, isWanted: configuration[\.screen.speech] != nil,
                program: InstalledProgram.path(SpeechCheck.program)),
        ]
        return results.compactMap(\.self)
    }
}
