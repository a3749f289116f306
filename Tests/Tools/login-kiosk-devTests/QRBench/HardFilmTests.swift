// SPDX-License-Identifier: Apache-2.0

import Capture
import KioskPorts
import PictureTestKit
import Scanning
import Testing
@testable import login_kiosk_dev

@Suite("Hard films of pictures")
struct HardFilmTests {
    private static func subject() throws -> FilmSubject {
        let picture = QRPicture.encode("https://login.example/mfa#a1b2c3", scale: 8)
        return FilmSubject(picture, try #require(symbols(of: picture).first).sighting)
    }

    private static func symbols(of picture: Picture) -> [Symbol] {
        var scanner = Scanner(effort: .untilFound)
        return picture.withFrame(captured: .zero) { scanner.symbols(in: $0) }
    }

    @Test("The same seed gives the same film, and its frames differ", arguments: HardFilm.Kind.allCases)
    func seeds(kind: HardFilm.Kind) throws {
        let subject = try Self.subject()
        let film = HardFilm(subject, kind, strength: 3, seed: 1)
        #expect(film.frame(2) == HardFilm(subject, kind, strength: 3, seed: 1).frame(2))
        #expect(film.frame(2) != HardFilm(subject, kind, strength: 3, seed: 2).frame(2))
        #expect(film.frame(2) != film.frame(3))
    }

    @Test("A weak film shows the code in its middle, a strong one shows none", arguments: HardFilm.Kind.allCases)
    func strengths(kind: HardFilm.Kind) throws {
        let subject = try Self.subject()
        #expect(subject.edge <= 181)
        let found = Self.symbols(of: HardFilm(subject, kind, strength: 1, seed: 1).frame(0))
        let symbol = try #require(found.first)
        #expect(abs(symbol.sighting.centreX - 200) < 40 && abs(symbol.sighting.centreY - 160) < 40)
        let strongest = HardFilm(subject, kind, strength: 3 * HardFilm.strengths.upperBound, seed: 1)
        #expect(Self.symbols(of: strongest.frame(0)).isEmpty)
    }
}
