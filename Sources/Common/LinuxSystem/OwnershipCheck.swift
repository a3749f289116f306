// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Checks whether owner and mode restrict a file to root and one user.
struct OwnershipCheck {
    /// The only permitted user besides root.
    var user = geteuid()
    /// A further owner who could change this program anyway.
    var alsoTrusted: UInt32?

    /// Checks a directory on the way: a user who may change it may replace its entries. With the sticky bit, as in
    /// `/tmp`, only an entry's owner may, who is checked next.
    func fault(ofDirectory status: stat) -> FileFault.Cause? {
        ownerFault(status) ?? (status.st_mode & 0o1000 == 0 ? modeFault(status) : nil)
    }

    /// Checks a link, which has no mode. Only in a directory with the sticky bit may another user have made it.
    func fault(ofLink link: stat, in directory: stat) -> FileFault.Cause? {
        directory.st_mode & 0o022 != 0 ? ownerFault(link) : nil
    }

    /// Checks the file or directory itself.
    func fault(of status: stat, _ need: OwnedFile.Need) -> FileFault.Cause? {
        if let fault = ownerFault(status) { return fault }
        // Root gives a service access to a secret without changing its owner: by group, or by the mask of an access
        // list, as the service manager does with credentials.
        let allowed: mode_t = status.st_uid == 0 && user != 0 ? 0o750 : 0o700
        if need == .secret, status.st_mode & 0o777 & ~allowed != 0 {
            return .readable(FileKind(status), mode: status.st_mode)
        }
        return modeFault(status)
    }

    private func ownerFault(_ status: stat) -> FileFault.Cause? {
        [0, user, alsoTrusted].contains(status.st_uid) ? nil : .foreignOwner(status.st_uid, user: user)
    }

    private func modeFault(_ status: stat) -> FileFault.Cause? {
        let mode = status.st_mode
        guard mode & 0o022 != 0 else { return nil }
        // A group whose only member is the owner: where each user has one, files are made 0664.
        let isOwners =
            mode & 0o002 == 0 && LocalAccounts.ofThisMachine.isPrivate(group: status.st_gid, of: status.st_uid)
        return isOwners ? nil : .changeable(mode: mode)
    }
}
