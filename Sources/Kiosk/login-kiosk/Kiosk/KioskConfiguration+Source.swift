// SPDX-License-Identifier: Apache-2.0

import Capture
import HostIntegration

extension KioskConfiguration {
    /// The scanner's source, in the grammar of `--source`. The configured camera options are added to a configured
    /// camera. The source's own options come last and win.
    var sourceText: String {
        let source = self[\.source]
        let options = cameraOptions.map { ",\($0)" }.joined()
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
    private var cameraOptions: [String] {
        let settings = [
            self[\.camera.format].map { "format=\($0)" }, self[\.camera.size].map { "size=\($0)" },
            self[\.camera.rate].map { "rate=\($0)" },
        ]
        return settings.compactMap(\.self) + (self[\.camera.variesExposure] ? [] : ["vary-exposure=false"])
            + group("camera.controls").map { "\($0.name)=\($0.setting.value)" }
    }
}
