// SPDX-License-Identifier: Apache-2.0

import Capture
import DisplayLink
import Foundation
import HostIntegration
import Keypads
import KioskMachine
import KioskPorts
import LinuxSystem
import LoginValues
import PersonalCards
import Signage

extension KioskConfiguration {
    /// Problems of well-formed values that are invalid.
    var problemsOfMeaning: [ConfigurationProblem] {
        var problems: [ConfigurationProblem] = []
        if let setting = setting("source") {
            do throws(FrameSourceError) { _ = try SourceSpecification(setting.value) } catch {
                problems.append(
                    ConfigurationProblem("the source \(error.problem); \(error.remedy)", at: setting.origin))
            }
        }
        for option in cameraOptions where (try? SourceSpecification("camera,\(option.text)")) == nil {
            problems.append(ConfigurationProblem("a camera has no '\(option.text)'", at: option.origin))
        }
        if let setting = setting("camera.rest-after"), CameraRest(setting.value) == nil {
            problems.append(
                ConfigurationProblem(
                    "'camera.rest-after' is a number of minutes from \(CameraRest.minutes.lowerBound) to "
                        + "\(CameraRest.minutes.upperBound), or never", at: setting.origin))
        }
        if let setting = setting("policy.registrations-per-hour"), !(0...1000).contains(Int(setting.value) ?? -1) {
            problems.append(
                ConfigurationProblem("'policy.registrations-per-hour' is a number up to 1000", at: setting.origin))
        }
        if let setting = setting("cards.lifetime"), cardLifetime == nil {
            problems.append(
                ConfigurationProblem(
                    "'cards.lifetime' is a number of days from \(CardPeriod.lifetimes.lowerBound) to "
                        + "\(CardPeriod.lifetimes.upperBound)", at: setting.origin))
        }
        for keypad in keypads {
            do throws(KeypadSpecificationError) { _ = try KeypadSpecification(keypad) } catch {
                problems.append(ConfigurationProblem("keypads.\(keypad.name): \(error)", at: keypad.driver.origin))
            }
        }
        problems += problemsOfDoors
        if let setting = setting("screen.language"), Languages(first: setting.value) == nil {
            problems.append(
                ConfigurationProblem(
                    "'screen.language' is one of \(Languages.standard.tags.joined(separator: ", "))", at: setting.origin
                ))
        }
        if let setting = setting("screen.web-port"), UInt16(setting.value) == nil {
            problems.append(ConfigurationProblem("'screen.web-port' is a number up to 65535", at: setting.origin))
        }
        if let setting = setting("screen.web-file"), self.setting("screen.web-port") == nil {
            problems.append(ConfigurationProblem("'screen.web-file' needs a screen.web-port", at: setting.origin))
        }
        if let setting = setting("screen.web-file"), let problem = EntranceFile.problem(setting.value, in: self) {
            problems.append(ConfigurationProblem("'screen.web-file': \(problem)", at: setting.origin))
        }
        if flag("screen.web-keys"), self.setting("screen.web-file") == nil, let setting = setting("screen.web-keys") {
            problems.append(ConfigurationProblem("'screen.web-keys' needs a screen.web-file", at: setting.origin))
        }
        if let setting = setting("screen.display"), setting.value != "none", DisplayProcess.Choice(setting.value) == nil
        {
            problems.append(
                ConfigurationProblem(
                    "'screen.display' is auto, none, or a panel: card0, HDMI-A-1 or card0-HDMI-A-1", at: setting.origin)
            )
        }
        if let setting = setting("screen.scale"), !DisplaySettings.scales.contains(Int(setting.value) ?? 0) {
            problems.append(
                ConfigurationProblem(
                    "'screen.scale' is a percentage from \(DisplaySettings.scales.lowerBound) to "
                        + "\(DisplaySettings.scales.upperBound)", at: setting.origin))
        }
        if let setting = setting("screen.mail-domains"), mailDomains(setting.value) == nil {
            problems.append(
                ConfigurationProblem(
                    "'screen.mail-domains' are up to \(DisplayView.Keyboard.mostDomains) domains of e-mail addresses "
                        + "such as example.com, parted by blanks", at: setting.origin))
        }
        if let setting = setting("screen.lights") {
            do { _ = try SignalSettings(setting.value) } catch {
                problems.append(ConfigurationProblem("'screen.lights': \(error)", at: setting.origin))
            }
        }
        if let setting = setting("screen.speech-device"), setting.value.hasPrefix("-") {
            problems.append(
                ConfigurationProblem("'screen.speech-device' is the name of a device in ALSA", at: setting.origin))
        }
        if let setting = setting("metrics.port"), UInt16(setting.value) == nil {
            problems.append(ConfigurationProblem("'metrics.port' is a number up to 65535", at: setting.origin))
        }
        if let setting = setting("provisioning.folders"), BroughtFiles(folders: setting.value) == nil {
            problems.append(
                ConfigurationProblem(
                    "'provisioning.folders' are absolute paths, separated by colons", at: setting.origin))
        }
        if let setting = setting("reset.keys"), ResetKeys(setting.value) == nil {
            problems.append(
                ConfigurationProblem(
                    "'reset.keys' are \(ResetKeys.counts.lowerBound) to \(ResetKeys.counts.upperBound) keys, three "
                        + "different ones at least: digits, enter, clear, back, menu, separated by spaces",
                    at: setting.origin))
        }
        if let setting = setting("network.allowed-addresses"), allowedNetworks == nil {
            problems.append(
                ConfigurationProblem(
                    "'network.allowed-addresses' are networks such as 100.64.0.0/10 or 64:ff9b:1::/48, separated by blanks",
                    at: setting.origin))
        }
        if let setting = setting("network.ca-file") {
            do throws(AuthorityFile.Problem) { try AuthorityFile.check(setting.value) } catch {
                problems.append(ConfigurationProblem("\(setting.value) \(error)", at: setting.origin))
            }
        }
        if let setting = setting("trust-file") {
            do throws(TrustFileError) { _ = try TrustFile(path: setting.value).services() } catch {
                problems.append(ConfigurationProblem("\(error); \(error.hint)", at: setting.origin))
            }
        }
        return problems + problemsOfSigning
    }

    /// The settings of keyboards on a panel.
    var touchSettings: TouchSettings {
        TouchSettings(
            shufflesPad: text("screen.pad") == "shuffled",
            domains: text("screen.mail-domains").flatMap(mailDomains) ?? [])
    }

    /// - Returns: nil when one is no domain of an e-mail address, or when there are too many.
    private func mailDomains(_ text: String) -> [String]? {
        let domains = text.split(separator: " ").map(String.init)
        let areValid = domains.allSatisfy { EmailAddress("a@\($0)")?.text == "a@\($0)" }
        return areValid && domains.count <= DisplayView.Keyboard.mostDomains ? domains : nil
    }

    /// The operator's keys for a reset; empty when none are set.
    var resetKeys: [KnownKey] { text("reset.keys").flatMap { ResetKeys($0)?.keys } ?? [] }
}
