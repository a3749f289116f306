// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import HostIntegration
public import KioskMachine
import KioskPorts
import LoginValues

/// The operator's decisions about the kiosk's behaviour.
struct PolicyOptions: ParsableArguments {
    @Option(
        name: .customLong("minimum-pin-length"), help: "Minimum number of digits of a new PIN: 4 (default) to 6.")
    var minimumPINLength: Int?
    @Option(
        name: .customLong("weak-pins"),
        help: "Action for a new PIN that is easy to guess: warn (default) or refuse.")
    var weakPINs: KioskPolicy.WeakPINs?
    @Option(help: "How people choose among several identities: typed (default), or from a list on the screen.")
    var identityChoice: KioskPolicy.IdentityChoice?

    func validate() throws {
        guard minimumPINLength.map(Pin.lengths.contains) ?? true else {
            throw ValidationError("--minimum-pin-length: a PIN has 4 to 6 digits")
        }
    }

    /// The options as settings of the configuration.
    var settings: [String: String] {
        var settings: [String: String] = [:]
        settings["policy.minimum-pin-length"] = minimumPINLength.map(String.init)
        settings["policy.weak-pins"] = weakPINs?.rawValue
        settings["policy.identity-choice"] = identityChoice?.rawValue
        return settings
    }
}

extension KioskConfiguration {
    /// The policy. With a fleet key, easily guessed PINs are refused whatever the settings say: somebody could try
    /// them with a copied card.
    var policy: KioskPolicy {
        let standard = KioskPolicy()
        return KioskPolicy(
            minimumPINLength: text("policy.minimum-pin-length").flatMap { Int($0) } ?? standard.minimumPINLength,
            weakPINs: text("fleet.key-file") == nil
                ? text("policy.weak-pins").flatMap(KioskPolicy.WeakPINs.init) ?? standard.weakPINs : .refuse,
            identityChoice: text("policy.identity-choice").flatMap(KioskPolicy.IdentityChoice.init)
                ?? standard.identityChoice,
            cameraRest: text("camera.rest-after").map { CameraRest($0)?.delay } ?? standard.cameraRest,
            cardErrands: cardErrands,
            registrationsPerHour: text("policy.registrations-per-hour").flatMap { Int($0) }
                ?? standard.registrationsPerHour,
            offersSpeech: speechOutput != nil,
            look: ScreenLook(
                hasLargeText: text("screen.text") == "large", hasHighContrast: text("screen.contrast") == "high"),
            offersLook: text("screen.web-port") != nil || KioskScreens.isDrawn(on: text("screen.display") ?? "auto"))
    }
}

/// The time that a kiosk is unused before its camera rests: minutes, or `never`.
struct CameraRest {
    static let minutes = 5...1440

    /// Nil for never.
    let delay: Duration?

    init?(_ text: String) {
        if text == "never" {
            delay = nil
        } else {
            guard let minutes = Int(text), CameraRest.minutes.contains(minutes) else { return nil }
            delay = .seconds(60 * minutes)
        }
    }
}

extension KioskPolicy.WeakPINs: ExpressibleByArgument {}
extension KioskPolicy.IdentityChoice: ExpressibleByArgument {}
