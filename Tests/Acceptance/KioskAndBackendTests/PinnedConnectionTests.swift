// SPDX-License-Identifier: Apache-2.0

import Patience
import BackendTestKit
import CurlTransport
import LoginValues
import MPinClient
import Testing

@testable import ReferenceBackend

/// A server that keeps connections open. A connection opened for some keys, or for any, carries no request for
/// others.
@Suite struct PinnedConnectionTests {
    @Test func aKeptConnectionIsForItsKeysOnly() async throws {
        let files = TemporaryFolder()
        let tls = try TestCertificate.tls(in: files)
        try await withBackend(options: tls.options) { backend in
            let transport = try CurlHTTPTransport(.init(authorityFile: tls.certificateChainFile))
            let url = try WebAddress("https://localhost:\(backend.addresses.publicPort)/service")
            let right = try await transport.publicKey(of: url.origin)
            let similar = try #require(Self.differingByCase(right))
            let wrong = try #require(PublicKeyPin(digest: [UInt8](repeating: 1, count: 32)))
            for pins in [
                [], [right], [similar], [wrong], [wrong, similar], [], [wrong, right], [similar], [right], [],
            ] {
                var request = HTTPRequest(.get, url, isRepeatable: true)
                request.pins = pins
                let result: Int?
                do throws(HTTPTransportError) { result = try await transport.send(request).status } catch {
                    #expect(error.code == .serverKeyRefused && !error.requestMayHaveBeenSent, "\(error)")
                    result = nil
                }
                #expect(result == (pins.isEmpty || pins.contains(right) ? 200 : nil), "\(pins)")
            }
            await transport.shutdown()
        }
        withExtendedLifetime(files) {}
    }

    /// Another key whose pin differs only in letter case.
    private static func differingByCase(_ pin: PublicKeyPin) -> PublicKeyPin? {
        var text = Array(pin.description)
        // The last digit stays, because not every digit is valid there.
        guard let place = text.indices.dropFirst(11).dropLast(2).first(where: { text[$0].isLetter }) else { return nil }
        text[place] = Character(text[place].isUppercase ? text[place].lowercased() : text[place].uppercased())
        return try? PublicKeyPin(String(text))
    }
}
