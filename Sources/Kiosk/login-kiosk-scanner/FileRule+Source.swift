// SPDX-License-Identifier: Apache-2.0

import Capture
import ConfinedProcess
import Glibc

extension Confinement {
    /// - Returns: whether files are confined too, which not every kernel can do.
    static func apply(opening: AllowedCall.Opening, _ rules: [FileRule]) throws(ConfinementError) -> Bool {
        try apply(AllowedCall.all(for: opening, of: getpid(), on: .native), rules)
    }
}

extension AllowedCall.Opening {
    init(_ source: SourceSpecification) {
        switch source {
        case .camera: self = .cameras
        case .path, .file, .folder, .pipe, .rawStream: self = .files
        case .descriptor, .sensor, .page: self = .nothing
        }
    }
}

extension FileRule {
    /// The rules that a source needs, and no more.
    ///
    /// - Parameter nodes: the existing video device files. A keypad's device file is in the same folder, so the
    ///   scanner must not have the whole folder.
    static func rules(for source: SourceSpecification, _ nodes: VideoNodes) -> [FileRule] {
        switch source {
        case .camera:
            // The location, name and USB numbers of each camera.
            [FileRule(.list, "/dev"), FileRule(.read, "/sys/devices")] + nodes.paths.map { FileRule(.device, $0) }
        case .path(let path), .file(let path, _), .folder(let path, _), .pipe(let path),
            .rawStream(let path, _):
            [FileRule(isFolder(path) ? .readAndList : .read, path)]
        case .descriptor, .sensor, .page: []
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        // Safe: the structure is ours and written during the call.
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
