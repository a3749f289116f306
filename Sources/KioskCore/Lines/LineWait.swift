// SPDX-License-Identifier: Apache-2.0

/// How a wait for edges ended.
public enum LineWait: Hashable, Sendable {
    case edges, nothing, stopped
}
