// SPDX-License-Identifier: Apache-2.0

import Capture
import HostIntegration

extension KioskConfiguration {
    /// The scanner's source, in the grammar of `--source`. The configured camera options are added to a configured
    /// camera. The source's own options come last and win.
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

    /// The configured options for `camera,OPTION...`.
    var cameraOptions: [(text: String, origin: ConfigurationOrigin)] {
        var ways = ["format", "size", "rate"].compactMap { name in
            setting("camera.\(name)").map { ("\(name)=\($0.value)", $0.origin) }
        }
        if let setting = setting("camera.vary-exposure"), !flag("camera.vary-exposure") {
            ways.append(("vary-exposure=false", setting.origin))
        }
        return ways + group("camera.controls").map { ("\($0.name)=\($0.setting.value)", $0.setting.origin) }
    }
}
