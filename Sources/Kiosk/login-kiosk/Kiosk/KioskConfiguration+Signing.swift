// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import HostIntegration
import KioskMachine
import KioskPorts
import KioskRuntime
import LoginValues

extension KioskConfiguration {
    /// The parts for signing.
    ///
    /// - Throws: a complaint about a document that cannot be shown, or about an invalid address.
    func signing(_ parts: KioskParts) throws -> DocumentSigning {
        if let problem = problemsOfSigning.first { throw Complaint.make("\(problem)", status: .configuration) }
        let addresses = applicationAddresses
        return DocumentSigning(templates: try documents.map { try SigningTemplate($0) }) { service in
            parts.application(at: addresses(service))
        }
    }

    /// The application for which documents of a service are signed: the service's own application, else the one for
    /// all services, else the service itself, whose web site may include the application.
    var applicationAddresses: @Sendable (_ service: WebAddress) -> WebAddress {
        let common = self[\.signing.application]
        let own = applications.compactMap { application in
            (try? WebAddress(application.service.value)).flatMap { service in
                (try? WebAddress(application.address.value)).map { (service.origin, $0) }
            }
        }
        return { service in own.first { $0.0 == service.origin }?.1 ?? common ?? service }
    }

    /// Problems of well-formed documents and applications that cannot be used.
    var problemsOfSigning: [ConfigurationProblem] {
        var problems: [ConfigurationProblem] = []
        var origins: Set<Origin> = []
        for service in applications.map(\.service) {
            guard let origin = (try? WebAddress(service.value))?.origin, !origins.insert(origin).inserted else {
                continue
            }
            problems.append(
                ConfigurationProblem("'\(service.name)': this service has an application already", at: service.origin))
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
        // One byte more than allowed, so that a longer file is refused and not truncated.
        let data = try file.read(upToCount: DocumentText.maximumLength + 1) ?? Data()
        self.init(title: DisplayText(document.title), text: try DocumentText(Array(data)))
    }
}

private struct UnreadableDocument: Error, CustomStringConvertible {
    let description = "the file cannot be read; check the path, and who may read it"
}
