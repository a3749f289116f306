// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import CurlTransport
import HostIntegration
import LoginValues
import MPinClient

extension TrustCommand {
    /// Shows a server's key, for an operator who wants to pin it or wonders why it is refused.
    struct ShowPin: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pin", abstract: "Show the pin of the key that a server uses now.",
            discussion: """
                Connects by https, checks the certificate as in a login, and sends nothing. An attacker in the \
                server's place would show a key as well. Before you add the pin, compare it with the one that the \
                service's operator gives you over another channel. They print it with
                openssl x509 -in FILE -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary \
                | base64
                For example: login-kiosk trust pin login.example.com
                """)

        @OptionGroup var places: DirectoryOptions
        @Option(help: "PEM file of certificate authorities to trust instead of the system's.") var caFile: String?
        @Flag(help: "Print a JSON object.") var json = false
        @Argument(help: "host[:port]. It does not have to be on the trust list.") var host: String

        private struct Document: Encodable {
            let version = 1
            let host: String
            let pin: String
            /// The pins of the trust list for this host.
            let listed: [String]
        }

        func run() async throws {
            let service = try TrustCommand.service(host)
            guard service.isBare, !service.entry.coversSubdomains,
                let origin = try? WebAddress("https://\(service.entry.host):\(service.entry.port)/").origin
            else { throw Complaint.make("\(host): expected one host[:port]", status: .usage) }
            let listed = try listedPins(of: origin)
            let pin = try await currentPin(of: origin)
            if json {
                return try JSONOutput.write(
                    Document(
                        host: origin.hostAndPort, pin: pin.description, listed: listed.map(\.description)))
            }
            print("\(origin.hostAndPort) \(pin)")
            let advice =
                "compare it with the key that the service's operator gives you over another channel, then: login-kiosk trust add "
                + "\(origin.hostAndPort) --pin \(pin)"
            if listed.contains(pin) {
                Complaint.say("this key is on the trust list")
            } else if listed.isEmpty {
                Complaint.say("this is the key of the server that answers there now", hint: advice)
            } else {
                Complaint.say(
                    "this key is none of the \(listed.count) that the trust list has for this host", hint: advice)
            }
        }

        private func listedPins(of origin: Origin) throws -> [PublicKeyPin] {
            let file = try TrustCommand.file(places)
            return TrustPolicy(lines: try TrustCommand.perform { () throws(TrustFileError) in try file.services() })
                .pins(for: origin)
        }

        private func currentPin(of origin: Origin) async throws -> PublicKeyPin {
            var options: [String: String] = [:]
            options[\.network.authorityFile] = caFile
            let settings = try places.require(options)
            let transport: CurlHTTPTransport
            do throws(CurlSetupError) {
                transport = try CurlHTTPTransport(settings.transport)
            } catch { throw Complaint.make("\(error)", status: .configuration) }
            let result: Result<PublicKeyPin, HTTPTransportError>
            do throws(HTTPTransportError) { result = .success(try await transport.publicKey(of: origin)) } catch {
                result = .failure(error)
            }
            await transport.shutdown()
            do throws(HTTPTransportError) { return try result.get() } catch {
                let hint =
                    error.code == .tlsFailed
                    ? "a pin does not make up for a certificate that is not valid; "
                        + "for an authority of your own: --ca-file"
                    : "look at network, name service, and port"
                throw Complaint.make("\(origin.hostAndPort): \(error.detail)", hint: hint, status: .unavailable)
            }
        }
    }
}
