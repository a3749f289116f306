// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The documents for signing at a script's kiosk.
struct FlowDocuments {
    /// The folder of the files.
    let folder: URL
    /// The service of the documents.
    let service: String
    private var settings = ""

    init(folder: URL, service: String) {
        self.folder = folder
        self.service = service
    }

    /// Configures the kiosk whose files are in `scratch`.
    mutating func add(_ file: String, title: String, in scratch: Scratch) throws {
        let number = settings.count { $0 == "\n" }
        settings += "    number-\(number): {file: \"\(folder.appending(path: file).path())\", title: \"\(title)\"}\n"
        // No other service has a reachable application, so a signature shows that this one has its own.
        let text = """
            signing:
              application: http://127.0.0.1:9
              applications:
                own: {service: "\(service)", address: "\(service)"}
              documents:
            \(settings)
            """
        try scratch.write(text, to: "config/config.d/documents.yaml")
    }
}
