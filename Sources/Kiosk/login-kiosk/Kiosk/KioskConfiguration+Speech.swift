// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostIntegration
import Logging
import Signage
import Speech

extension KioskConfiguration {
    /// The screen for people who listen; nil without speech.
    ///
    /// - Parameter changed: called when speech begins to fail, and with nil when it works again.
    func spokenScreen(
        _ languages: Languages, _ logger: Logger, _ changed: @escaping @Sendable (SpeechFault?) -> Void
    ) -> SpokenScreen? {
        guard let output = self[\.screen.speech] else { return nil }
        return SpokenScreen(
            languages: languages, output: output, device: self[\.screen.speechDevice],
            runtimeDirectory: ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"],
            find: { InstalledProgram.path(SpeechCheck.program) }
        ) { fault in
            changed(fault)
            guard let fault else { return logger.notice("speech works again") }
            logger.error("there is no speech", metadata: ["reason": "\(fault)", "hint": "login-kiosk doctor"])
        }
    }
}
