// SPDX-License-Identifier: Apache-2.0

import HostIntegration
import Keypads

extension KioskConfiguration {
    /// The problems of values, and of settings that do not fit each other or this machine.
    var allProblems: [ConfigurationProblem] {
        problems + problemsOfKeypads + problemsOfDoors + problemsOfPage + problemsOfFiles + problemsOfSigning
    }

    private var problemsOfKeypads: [ConfigurationProblem] {
        keypads.compactMap { keypad in
            do throws(KeypadSpecificationError) { _ = try KeypadSpecification(keypad) } catch {
                return ConfigurationProblem("keypads.\(keypad.name): \(error)", at: keypad.driver.origin)
            }
            return nil
        }
    }

    private var problemsOfPage: [ConfigurationProblem] {
        var problems: [ConfigurationProblem] = []
        if let file = setting(\.screen.webFile) {
            if setting(\.screen.webPort) == nil {
                problems.append(ConfigurationProblem("'screen.web-file' needs a screen.web-port", at: file.origin))
            }
            if let problem = EntranceFile.problem(file.value, in: self) {
                problems.append(ConfigurationProblem("'screen.web-file': \(problem)", at: file.origin))
            }
        } else if self[\.screen.hasWebKeys], let keys = setting(\.screen.hasWebKeys) {
            problems.append(ConfigurationProblem("'screen.web-keys' needs a screen.web-file", at: keys.origin))
        }
        return problems
    }

    private var problemsOfFiles: [ConfigurationProblem] {
        var problems: [ConfigurationProblem] = []
        if let setting = setting(\.network.authorityFile) {
            do throws(AuthorityFile.Problem) { try AuthorityFile.check(setting.value) } catch {
                problems.append(ConfigurationProblem("\(setting.value) \(error)", at: setting.origin))
            }
        }
        if let setting = setting(\.trustFile) {
            do throws(TrustFileError) { _ = try TrustFile(path: setting.value).services() } catch {
                problems.append(ConfigurationProblem("\(error); \(error.hint)", at: setting.origin))
            }
        }
        return problems
    }
}
