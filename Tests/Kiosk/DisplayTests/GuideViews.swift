// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Views of the guided first start.
extension MoreViews {
    static let guide: KeyValuePairs<String, KioskView> = {
        func text(_ text: String) -> Prompt { Prompt(.guideText, [.name: text]) }
        func step(_ number: Int) -> Prompt { Prompt(.guideStep, [.page: "\(number)", .pages: "9"]) }
        func offers(_ offers: [Prompt]) -> [ViewAction] {
            offers.enumerated().map { ViewAction(.digit(UInt8($0.offset + 1)), $0.element) }
        }
        let okAndBack = [ViewAction(.enter, .actionOK), ViewAction(.back, .actionBack)]
        let skip = ViewAction(.menu, .actionSkip)
        let languages = ["English (en)", "Deutsch (de)", "Français (fr)", "Español (es)", "Български (bg)"].map(text)
        let camera = "046d:082d HD Pro Webcam C920 (/dev/video0)"
        return [
            "guide: language": KioskView(
                .menu, .ask, title: Prompt(.guideLanguage),
                lines: [Prompt(.guideGreeting), step(1), Prompt(.guideChoose), languages[0]],
                actions: offers(languages) + [
                    ViewAction(.enter, .actionOK), ViewAction(.back, .actionCancel), skip,
                ]),
            "guide: camera": KioskView(
                .menu, .ask, title: Prompt(.guideCamera),
                lines: [step(2), Prompt(.guideChoose), Prompt(.guideAsNow, [.name: "camera"])],
                actions: offers([Prompt(.guideAsNow, [.name: "camera"]), text(camera)]) + okAndBack + [skip]),
            "guide: picture": KioskView(
                .card, .ask, title: Prompt(.guideCamera),
                lines: [Prompt(.guideCameraHelp), Prompt(.guideFocus, [.number: "42"])],
                hint: Prompt(.guideCodeRead), actions: [ViewAction(.enter, .actionDone)]),
            "guide: digits": KioskView(
                .serviceChoice, .ask, title: Prompt(.guideKeypad), lines: [Prompt(.guideKeypadPress)],
                entry: .text("0123"), actions: okAndBack + [ViewAction(.clear, .actionClear), skip]),
            "guide: join": KioskView(
                .setupQuestion, .ask, title: Prompt(.guideNetwork),
                lines: [
                    Prompt(.guideNetworkName, [.name: "City library"]),
                    Prompt(.guideProtection, [.name: "WPA2 or WPA3"]), Prompt(.guideHidden),
                    Prompt(.guideJoinReally),
                ], factCount: 4, actions: okAndBack),
            "guide: host": KioskView(
                .identityEntry, .ask, title: Prompt(.guideService), lines: [step(7), Prompt(.guideServiceHelp)],
                entry: .text("login.exam"), actions: okAndBack + [ViewAction(.clear, .actionClear), skip]),
            "guide: summary": KioskView(
                .setupQuestion, .ask, title: Prompt(.guideSummary),
                lines: [
                    step(9), Prompt(.languageChosen, [.name: "English"]),
                    Prompt(.guideCameraChosen, [.name: camera]),
                    Prompt(.guideKeypadChosen, [.name: "1a2c:4c5e USB Keypad (/dev/input/event7)"]),
                ], factCount: 4, actions: [ViewAction(.enter, .actionMore), okAndBack[1]]),
            "guide: summary, the end": KioskView(
                .setupQuestion, .ask, title: Prompt(.guideSummary),
                lines: [
                    Prompt(.guideDisplayChosen, [.name: "card0-HDMI-A-1"]),
                    Prompt(.guideNetworkName, [.name: "City library"]),
                    Prompt(.guideServiceChosen, [.name: "login.example.com"]), Prompt(.guideWrite),
                ], factCount: 4, actions: okAndBack),
        ]
    }()
}
