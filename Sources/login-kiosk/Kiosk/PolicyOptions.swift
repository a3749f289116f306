// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
public import KioskCore
import LoginValues

/// What the operator decides about the kiosk's behaviour.
struct PolicyOptions: ParsableArguments {
    @Option(name: .customLong("minimum-pin-length"), help: "How many digits a new PIN has at least: 4 to 6.")
    var minimumPINLength = Pin.lengths.lowerBound
    @Option(name: .customLong("weak-pins"), help: "What happens to a new PIN that is easy to guess: warn or refuse.")
    var weakPINs = KioskPolicy.WeakPINs.warn
    @Option(help: "How one of several identities is found: typed, or from a list on the screen.")
    var identityChoice = KioskPolicy.IdentityChoice.typed

    func validate() throws {
        guard Pin.lengths.contains(minimumPINLength) else {
            throw ValidationError("--minimum-pin-length: a PIN has 4 to 6 digits")
        }
    }

    var policy: KioskPolicy {
        KioskPolicy(minimumPINLength: minimumPINLength, weakPINs: weakPINs, identityChoice: identityChoice)
    }
}

extension KioskPolicy.WeakPINs: ExpressibleByArgument {}
extension KioskPolicy.IdentityChoice: ExpressibleByArgument {}
