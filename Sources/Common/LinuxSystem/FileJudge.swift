// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Judges whether owner and mode restrict a file to root and one user.
struct FileJudge {
    /// The only permitted user besides root.
    let user: UInt32
    /// A further owner who could change this program anyway.
    var alsoTrusted: UInt32?

    /// Judges a directory on the way: a user who may change it may exchange its entries. With the sticky bit, as in
    /// `/tmp`, only an entry's owner may, who is judged next.
    func requireSoundDirectory(_ status: stat, _ path: String, _ place: String) throws(FileFault) {
        try requireOwner(status, path, place.isEmpty ? "/" : place)
        guard status.st_mode & 0o1000 == 0 else { return }
        try requireUnchangeable(status, path, place.isEmpty ? "/" : place)
    }

    /// Judges a link, which has no mode. Only in a directory with the sticky bit may another user have made it.
    func requireSoundLink(_ link: stat, in directory: stat, _ path: String, _ place: String) throws(FileFault) {
        if directory.st_mode & 0o022 != 0 { try requireOwner(link, path, place) }
    }

    /// Judges the file or directory itself.
    func requireSound(
        _ status: stat, _ need: OwnedFile.Need, _ path: String, _ place: String
    ) throws(FileFault) {
        try requireOwner(status, path, place)
        if need == .secret {
            // Root gives a service access to a secret without changing its owner: by group, or by the mask of an
            // access list, as the service manager does with credentials.
            let allowed: mode_t = status.st_uid == 0 && user != 0 ? 0o750 : 0o700
            guard status.st_mode & 0o777 & ~allowed == 0 else {
                throw FileFault(.readable(FileKind(status), mode: status.st_mode), path: path, place: place)
            }
        }
        try requireUnchangeable(status, path, place)
    }

    private func requireOwner(_ status: stat, _ path: String, _ place: String) throws(FileFault) {
        let owner = status.st_uid
        guard owner == 0 || owner == user || owner == alsoTrusted else {
            throw FileFault(.foreignOwner(owner, user: user), path: path, place: place)
        }
    }

    private func requireUnchangeable(_ status: stat, _ path: String, _ place: String) throws(FileFault) {
        let mode = status.st_mode
        guard mode & 0o022 != 0 else { return }
        // A group whose only member is the owner: where each user has one, files are made 0664.
        let isOwners =
            mode & 0o002 == 0 && LocalAccounts.ofThisMachine.isPrivate(group: status.st_gid, of: status.st_uid)
        guard isOwners else { throw FileFault(.changeable(mode: mode), path: path, place: place) }
    }
}
