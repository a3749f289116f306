// SPDX-License-Identifier: Apache-2.0

extension BackendState {
    /// The password of the operator's page, a secret; made if there is none yet.
    /// - Parameters:
    ///   - directory: the state directory of a backend, which may be running.
    ///   - isRenewed: whether a new one takes the place of the old one first.
    /// - Throws: `BackendError.file`, `.randomnessUnavailable`.
    public static func operatorPassword(
        inDirectory directory: String, renewing isRenewed: Bool = false
    ) throws(BackendError) -> String {
        let password = try OperatorPassword(state: try StateDirectory(path: directory))
        if isRenewed { try password.renew() }
        return try password.value.withBytes { String(decoding: Array($0), as: UTF8.self) }
    }
}
