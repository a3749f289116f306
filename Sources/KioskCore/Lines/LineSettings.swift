// SPDX-License-Identifier: Apache-2.0

/// What a GPIO line is.
public struct LineSettings: Hashable, Sendable {
    public enum Bias: Hashable, Sendable { case disabled, pullUp, pullDown }

    public enum Drive: Hashable, Sendable {
        case pushPull
        /// Drives low; where it would drive high, it lets go.
        case openDrain
        /// Drives high; where it would drive low, it lets go.
        case openSource
    }

    public enum Role: Hashable, Sendable {
        /// - Parameters:
        ///   - edges: whether changes are told by ``LineBank/takeEdges()``.
        ///   - debounce: changes shorter than this do not count; zero counts every one.
        case input(Bias, edges: Bool = false, debounce: Duration = .zero)
        case output(isActive: Bool, Drive = .pushPull)
    }

    public var role: Role
    /// Whether low is active.
    public var isActiveLow: Bool

    public init(_ role: Role, isActiveLow: Bool = false) {
        self.role = role
        self.isActiveLow = isActiveLow
    }
}
