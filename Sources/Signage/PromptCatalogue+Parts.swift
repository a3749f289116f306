// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

extension PromptCatalogue {
    /// A sentence that is a label and a value, such as `Domain: {domain}`, in its two parts; otherwise the sentence
    /// without a label. For screens that set them apart.
    public func parts(_ prompt: Prompt) -> (label: String?, text: String) {
        let template = template(prompt.key)
        guard template.hasSuffix("}"), let open = template.lastIndex(of: "{"), open > template.startIndex,
            template.firstIndex(of: "{") == open,
            let gap = PromptPlaceholder(rawValue: String(template[template.index(after: open)...].dropLast())),
            let value = prompt.values[gap]
        else { return (nil, text(prompt)) }
        let label = template[..<open].reversed().drop { $0 == " " }
        guard label.first == ":" else { return (nil, text(prompt)) }
        return (String(label.reversed()), value)
    }
}
