// SPDX-License-Identifier: Apache-2.0

import Capture
import HostIntegration

extension KioskConfiguration {
    /// What the scanner looks at, in the grammar of `--source`: the configured source, and where that is a camera, what
    /// is configured for cameras. What the source itself says comes last and wins.
    var sourceText: String {
        let source = text("source") ?? "camera"
        let options = cameraOptions.map { ",\($0.text)" }.joined()
        guard !options.isEmpty, let specification = try? SourceSpecification(source) else { return source }
        switch specification {
        case .camera:
            return "camera" + options + source.dropFirst("camera".count)
        case .path(let path) where path.hasPrefix("/dev/"):
            return "camera" + options + ":\(path)"
        default: return source
        }
    }

    /// The options of `camera,OPTION...` that are configured.
    var cameraOptions: [(text: String, origin: ConfigurationOrigin)] {
        let ways = ["format", "size", "rate"].compactMap { name in
            setting("camera.\(name)").map { ("\(name)=\($0.value)", $0.origin) }
        }
        return ways + group("camera.controls").map { ("\($0.name)=\($0.setting.value)", $0.setting.origin) }
    }
}
