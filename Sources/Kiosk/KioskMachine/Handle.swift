// SPDX-License-Identifier: Apache-2.0

/// Something that the machine passes on and does not look into: it comes with an event, and goes back to the
/// interpreter with the action that needs it.
///
/// Two handles are equal when they are of the same thing. A text that is made of one does not show what it holds.
public struct Handle: Sendable {
    private final class Content: Sendable {
        let value: any Sendable
        init(_ value: any Sendable) { self.value = value }
    }

    private let content: Content

    /// For events of which the interpreter keeps nothing.
    public static let nothing = Handle(())

    public init(_ value: some Sendable) { content = Content(value) }

    /// The value that the handle was made of; nil when it is of another type. For the interpreter alone.
    public func value<Value: Sendable>(as type: Value.Type) -> Value? { content.value as? Value }
}

extension Handle: Hashable {
    public static func == (left: Handle, right: Handle) -> Bool { left.content === right.content }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(content)) }
}

extension Handle: CustomStringConvertible, CustomReflectable {
    public var description: String { "a handle" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
