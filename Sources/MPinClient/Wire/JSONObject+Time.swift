// SPDX-License-Identifier: Apache-2.0

extension JSONObject {
    /// A time as any server writes it: a date text, seconds since 1970, or those seconds as a text.
    ///
    /// - Returns: nil when the key is absent.
    func time(_ key: String) throws(JSONError) -> Int64? {
        guard let text = parameter(key) else {
            // Neither text nor number: absent, or of a type that is no time.
            _ = try optionalString(key)
            return nil
        }
        guard let seconds = Int64(text) ?? ServerTime.seconds(text) else { throw JSONError("`\(key)` is no time") }
        return seconds
    }
}
