// SPDX-License-Identifier: Apache-2.0

/// What happens to an access code that is typed by hand. The machine never sees it; the interpreter edits it and says so
/// with `codeEdited`.
public enum CodeAction: Hashable, Sendable {
    /// A moment has passed: another press of the same key is another character.
    case acceptTap
    /// Make the code a reading of the service, by its place in the list; answered by `codeTyped`.
    case submit(service: Int)
    /// What activates, in the code just seen, takes the place of what is typed.
    case takeScanned
    case wipe
}
