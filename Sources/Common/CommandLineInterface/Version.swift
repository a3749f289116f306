// SPDX-License-Identifier: Apache-2.0

public enum Version {
    /// Semantic version of every program and package; also what servers see in `X-MIRACL-CLIENT`.
    public static let current = "0.2.0"
}
