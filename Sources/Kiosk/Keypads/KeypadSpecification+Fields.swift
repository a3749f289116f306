// SPDX-License-Identifier: Apache-2.0

extension KeypadSpecification {
    /// Reads a configuration's form: the kind of keypad, and its settings by their names.
    ///
    /// `console` has none, `script` has `file`, `evdev` one of `usb`, `path`, `phys` and `name`, `touch` the same or
    /// none, and `gpio` the same as its text form.
    ///
    /// - Throws: the fault, and the right form.
    public init(driver: String, settings: [String: String]) throws(KeypadSpecificationError) {
        let text = settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
        switch (driver, settings.count) {
        case ("console", 0): self = .console
        case ("script", 1):
            guard let path = settings["file"], !path.isEmpty else { throw KeypadSpecificationError(.unknownKind, text) }
            self = .script(path: path)
        case ("touch", 0): self = .touch(nil)
        case ("evdev", 1), ("touch", 1):
            guard let selector = KeypadSpecification.selector(settings) else {
                throw KeypadSpecificationError(.noSelector, text)
            }
            self = driver == "touch" ? .touch(selector) : .evdev(selector)
        case ("evdev", _), ("touch", _): throw KeypadSpecificationError(.noSelector, text)
        case ("gpio", _): self = .gpio(try MatrixSettings(fields: settings, text: text))
        default: throw KeypadSpecificationError(.unknownKind, text.isEmpty ? driver : "\(driver) \(text)")
        }
    }

    private static func selector(_ settings: [String: String]) -> InputSelector? {
        if let product = settings["usb"], case .product? = InputSelector(product) { return InputSelector(product) }
        if let path = settings["path"], path.hasPrefix("/") { return InputSelector(path) }
        if let place = settings["phys"] { return InputSelector("phys=\(place)") }
        if let name = settings["name"] { return InputSelector("name=\(name)") }
        return nil
    }
}
