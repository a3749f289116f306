// SPDX-License-Identifier: Apache-2.0

/// A value that the machine passes on without looking into it: it comes with an event, and returns to the interpreter
/// with the action that needs it.
///
/// Two handles are equal when they hold the same value. Printing one does not show its content.
public struct Handle: Sendable {
    private final class Content: Sendable {
        let value: any Sendable
        init(_ value: any Sendable) { self.value = value }
    }

    private let content: Content

    /// For events without a value.
    public static let nothing = Handle(())

    public init(_ value: some Sendable) { content = Content(value) }

    /// The value in the handle; nil when it is of another type. For the interpreter alone.
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
