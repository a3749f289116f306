// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The machine's views.
enum SampleViews {
    static let scan = KioskView(
        .scan, .ready, title: Prompt(.scanTitle), lines: [Prompt(.scanHelp)],
        actions: [ViewAction(.digit(2), .actionLanguage)])
    static let consent = KioskView(
        .consent, .ask, title: Prompt(.consentTitle),
        lines: [
            Prompt(.consentService, [.service: "<b>Shop</b> & \"Co\""]),
            Prompt(.consentDomain, [.domain: "login.example.com"]), Prompt(.consentNobody),
        ], actions: [ViewAction(.enter, .actionOK), ViewAction(.back, .actionNotMe)])
    static let pin = KioskView(
        .pin, .ask, title: Prompt(.pinTitle), lines: [Prompt(.pinHelpAny)],
        entry: .masked(count: 3, capacity: 6), actions: [ViewAction(.clear, .actionClear)], countdown: .seconds(30))
    static let success = KioskView(
        .outcome, .success, title: Prompt(.success), lines: [Prompt(.successAt, [.service: "Shop"])],
        countdown: .seconds(5))

    /// A gradient from left to right.
    static var picture: PreviewPicture {
        let luma = (0..<PreviewPicture.width * PreviewPicture.height).map {
            UInt8(truncatingIfNeeded: $0 % PreviewPicture.width * 255 / PreviewPicture.width)
        }
        guard let picture = PreviewPicture(luma: luma) else { fatalError("a picture of another size") }
        return picture
    }
}
