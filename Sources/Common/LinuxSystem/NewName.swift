// SPDX-License-Identifier: Apache-2.0

import CProcess

/// Renames a file in one step, unless the new name is in use.
///
/// - Returns: 0, or -1 with errno: `EEXIST` for a name in use, `EINVAL` or `ENOSYS` where the file system cannot do it.
func renameToNew(_ old: String, _ new: String) -> Int32 {
    // Safe: texts are lent for the call.
    unsafe cprocess_rename_new(old, new)
}
