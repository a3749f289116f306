// SPDX-License-Identifier: Apache-2.0

/// An operation was watched, but did not do what it should.
enum CheckError: Error {
    case wrongResult
}
