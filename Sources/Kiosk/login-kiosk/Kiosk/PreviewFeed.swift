// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import DisplayLink
import ScannerLink
import Synchronization
import WebScreen

/// Passes the camera's pictures to the screens that show them, while there is such a screen.
struct PreviewFeed {
    let page: PageScreen?
    let display: DisplayProcess?
    let scanner: ScannerProcess

    var work: [LastingWork] {
        guard page != nil || display != nil else { return [] }
        let wishes = PreviewWishes(scanner)
        let audiences = [page?.audience, display?.audience].compactMap(\.self).enumerated().map { number, audience in
            LastingWork {
                for await isWatched in audience { wishes.set(isWatched, of: number) }
            }
        }
        let pictures = LastingWork { [self] in
            for await picture in scanner.previews {
                page?.show(picture)
                display?.show(picture)
            }
        }
        return (audiences + [pictures]).map(\.andThenWaiting)
    }
}

/// The screens that want the camera's pictures.
private final class PreviewWishes: Sendable {
    private let wanting = Mutex<Set<Int>>([])
    private let scanner: ScannerProcess

    init(_ scanner: ScannerProcess) { self.scanner = scanner }

    func set(_ isWatched: Bool, of screen: Int) {
        wanting.withLock { wanting in
            if isWatched { wanting.insert(screen) } else { wanting.remove(screen) }
            scanner.wantsPreviews(!wanting.isEmpty)
        }
    }
}
