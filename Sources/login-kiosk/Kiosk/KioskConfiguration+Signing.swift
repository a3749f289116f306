// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostIntegration
import KioskCore
import KioskRuntime
import LoginValues
import MPinClient

extension KioskConfiguration {
    /// What signing needs.
    ///
    /// - Throws: a complaint about a document that cannot be shown, or an address that is none.
    func signing(_ parts: KioskParts) throws -> DocumentSigning {
        if let problem = problemsOfSigning.first { throw Complaint.make("\(problem)", status: .configuration) }
        let configured = text("signing.application").flatMap { try? WebAddress($0) }
        return DocumentSigning(templates: try documents.map { try SigningTemplate($0) }) { service in
            // An application may well be where its web site is.
            RelyingPartyApplication(
                at: configured ?? service, transport: parts.transport, trust: parts.trust, logger: parts.logger)
        }
    }

    /// Values that are well formed and cannot be signed or asked.
    var problemsOfSigning: [ConfigurationProblem] {
        var problems: [ConfigurationProblem] = []
        if let setting = setting("signing.application"), (try? WebAddress(setting.value)) == nil {
            problems.append(ConfigurationProblem("'signing.application' is a web address", at: setting.origin))
        }
        for document in documents {
            do { _ = try SigningTemplate(document) } catch {
                problems.append(
                    ConfigurationProblem("signing.documents.\(document.name): \(error)", at: document.file.origin))
            }
        }
        return problems
    }
}

extension SigningTemplate {
    /// Reads the document.
    ///
    /// - Throws: why it cannot be read, or cannot be signed.
    fileprivate init(_ document: ConfiguredDocument) throws {
        guard let file = FileHandle(forReadingAtPath: document.file.value) else { throw UnreadableDocument() }
        defer { try? file.close() }
        // One byte more than allowed, so that a longer file is refused and not cut off.
        let data = try file.read(upToCount: DocumentText.maximumLength + 1) ?? Data()
        self.init(title: DisplayText(document.title), text: try DocumentText(Array(data)))
    }
}

private struct UnreadableDocument: Error, CustomStringConvertible {
    let description = "the file cannot be read; check the path, and who may read it"
}
