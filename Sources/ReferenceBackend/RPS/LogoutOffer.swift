// SPDX-License-Identifier: Apache-2.0

/// What a device needs to log the browser out again; the relying party's words, passed on untouched.
struct LogoutOffer: Sendable {
    var data: JSONValue?
    var url: String?
}
