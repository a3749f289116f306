// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import HostIntegration
public import KioskMachine
import KioskPorts

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

    /// The options as settings of the configuration.
    var settings: [String: String] {
        var settings: [String: String] = [:]
        settings[\.policy.minimumPINLength] = minimumPINLength.map(String.init)
        settings[\.policy.weakPINs] = weakPINs?.rawValue
        settings[\.policy.identityChoice] = identityChoice?.rawValue
        return settings
    }
}

extension KioskConfiguration {
    /// The policy. With a fleet key, easily guessed PINs are refused regardless of the settings: somebody could try
    /// them with a copied card.
    var policy: KioskPolicy {
        KioskPolicy(
            minimumPINLength: self[\.policy.minimumPINLength],
            weakPINs: self[\.fleetKeyFile] == nil ? self[\.policy.weakPINs] : .refuse,
            identityChoice: self[\.policy.identityChoice], cameraRest: self[\.camera.restAfter],
            cardTasks: cardTasks, registrationsPerHour: self[\.policy.registrationsPerHour],
            offersSpeech: self[\.screen.speech] != nil,
            look: ScreenLook(
                hasLargeText: self[\.screen.hasLargeText], hasHighContrast: self[\.screen.hasHighContrast]),
            offersLook: self[\.screen.webPort] != nil || KioskScreens.isDrawn(on: self[\.screen.display]))
    }
}

extension KioskPolicy.WeakPINs: ExpressibleByArgument {}
extension KioskPolicy.IdentityChoice: ExpressibleByArgument {}
