// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem

/// All sources of a kiosk's settings, each read once.
struct SettingSources {
    /// A source of settings: texts by the settings' names, and the place of each.
    private struct Layer {
        let text: (String) -> String?
        let origin: (String) -> ConfigurationOrigin
    }

    /// In the order in which they are read, the profile's last.
    let files: [ConfigurationFile]
    /// Nil when there is no directory for it.
    let profileDirectory: ProfileDirectory?
    let profileProblem: ConfigurationProblem?
    private let environment: [String: String]
    /// The strongest first.
    private let layers: [Layer]

    /// - Parameters:
    ///   - folders: directories with settings, the weakest first.
    ///   - directory: the directory of trust list and key, unless a setting names others.
    init(
        layers folders: [String], directory: String?, state: String?, environment: [String: String],
        options: [String: String] = [:], staged: ProfileDirectory.Current? = nil
    ) {
        let installed = SettingSources.files(in: folders)
        profileDirectory = SettingSources.profileDirectory(environment, installed, directory)
        let profile = SettingSources.profile(in: profileDirectory, staged)
        profileProblem = profile.problem
        files = installed + [profile.file].compactMap(\.self)
        self.environment = environment
        let credentials = SettingSources.credentials(in: environment)
        let standards = SettingSources.standards(directory: directory, state: state)
        var layers = [
            Layer(
                text: { options[$0] },
                origin: { .commandLine(ConfigurationKey.named($0)?.option ?? "command line") }),
            Layer(
                text: { environment[ConfigurationKey.environmentVariable($0)] },
                origin: { .environment(ConfigurationKey.environmentVariable($0)) }),
            Layer(text: { credentials[$0] }, origin: { .credential(path: credentials[$0] ?? "") }),
            Layer(text: { profile.places[$0] }, origin: { .file(path: profile.places[$0] ?? "", line: nil) }),
        ]
        layers += files.reversed().map { file in
            Layer(text: { file.values[$0] }, origin: { .file(path: file.path, line: file.line(of: $0)) })
        }
        layers.append(Layer(text: { standards[$0] }, origin: { _ in .standard }))
        self.layers = layers
    }

    /// Returns the text of a setting in the strongest source that has it.
    func look(_ name: String) -> (text: String, origin: ConfigurationOrigin)? {
        for layer in layers {
            if let text = layer.text(name) { return (text, layer.origin(name)) }
        }
        return nil
    }

    /// All settings with fixed names, and of the others those that a file names.
    var names: [(key: ConfigurationKey, name: String)] {
        let said = files.flatMap { $0.entries.map(\.name) }
        return ConfigurationKey.all.flatMap { key in
            guard key.name.contains("*") else { return [(key, key.name)] }
            var seen: Set<String> = []
            return said.filter { key.matches($0) && seen.insert($0).inserted }.map { (key, $0) }
        }
    }

    /// Reports environment variables with the prefix of settings that name no setting.
    var unknownVariables: [ConfigurationProblem] {
        let known = Set(names.map { ConfigurationKey.environmentVariable($0.name) })
        let unknown = environment.keys.filter {
            $0.hasPrefix(ConfigurationKey.environmentPrefix) && !known.contains($0)
        }
        return unknown.sorted().map { variable in
            let gone = ConfigurationKey.gone.first { ConfigurationKey.environmentVariable($0.key) == variable }
            let reason = gone.map { "'\($0.key)' \($0.value)" } ?? "no setting has this name"
            return ConfigurationProblem(reason, at: .environment(variable))
        }
    }

    /// The profile's directory is beside the key that seals the identities, but not beside a credential, which belongs
    /// to the service manager while the program runs.
    private static func profileDirectory(
        _ environment: [String: String], _ files: [ConfigurationFile], _ directory: String?
    ) -> ProfileDirectory? {
        let keyFile =
            environment[ConfigurationKey.environmentVariable(Settings.all.storeKeyFile.key.name)]
            ?? files.compactMap { $0.values[\.storeKeyFile] }.last
        let keys = keyFile.map { String($0.prefix(upTo: $0.lastIndex(of: "/") ?? $0.startIndex)) } ?? directory
        return keys.map { ProfileDirectory(keys: $0.isEmpty ? "." : $0) }
    }

    /// Reads the current profile once: a command may install another one meanwhile.
    private static func profile(
        in place: ProfileDirectory?, _ staged: ProfileDirectory.Current?
    ) -> (file: ConfigurationFile?, places: [String: String], problem: ConfigurationProblem?) {
        if let staged { return (ConfigurationFile(reading: staged.settings), staged.places, nil) }
        do throws(FileFault) {
            guard let place, var profile = try place.current() else { return (nil, [:], nil) }
            var (file, places) = (ConfigurationFile(reading: profile.settings), profile.places)
            while let newer = try place.current(), newer != profile {
                (profile, file, places) = (newer, ConfigurationFile(reading: newer.settings), newer.places)
            }
            guard let problem = place.problem(of: profile) else { return (file, places, nil) }
            return (nil, places, ConfigurationProblem(problem, at: .file(path: profile.folder, line: nil)))
        } catch { return (ConfigurationFile(path: error.path, fault: error), [:], nil) }
    }

    /// The strongest `config.yaml`, and then the drop-ins of all layers in the order of their names. A file masks
    /// those of its name in weaker layers.
    private static func files(in folders: [String]) -> [ConfigurationFile] {
        let main = folders.reversed().lazy.map { ConfigurationFile(reading: SettingsFile.configuration.path(in: $0)) }
            .first(where: \.isThere)
        var places: [String: String] = [:]
        var faults: [ConfigurationFile] = []
        for folder in folders {
            let dropIns = SettingsFile.dropIns.path(in: folder)
            do throws(FileFault) {
                for name in try dropInNames(in: dropIns) { places[name] = "\(dropIns)/\(name)" }
            } catch {
                faults.append(ConfigurationFile(path: dropIns, fault: error))
            }
        }
        let files = places.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .filter { !isMask($0.value) }.map { ConfigurationFile(reading: $0.value) }
        return ([main].compactMap(\.self) + faults + files).filter(\.isThere)
    }

    private static func dropInNames(in directory: String) throws(FileFault) -> [String] {
        // A user who may add a file there could set everything.
        try OwnedFile.check(directory, .unaltered, .directory)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else {
            throw FileFault(.refused(EACCES), path: directory)
        }
        return names.filter(isDropIn)
    }

    static func isDropIn(_ name: String) -> Bool { name.hasSuffix(".yaml") && !name.hasPrefix(".") }

    /// Whether it is a link to `/dev/null`, with which an operator switches off a file of a weaker layer.
    static func isMask(_ path: String) -> Bool {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == "/dev/null"
    }

    /// Keys from the service manager (systemd.exec, `LoadCredentialEncrypted=`).
    private static func credentials(in environment: [String: String]) -> [String: String] {
        guard let directory = environment["CREDENTIALS_DIRECTORY"], !directory.isEmpty else { return [:] }
        var keys: [String: String] = [:]
        keys[\.storeKeyFile] = SettingsFile.identityKey.path(in: directory)
        keys[\.fleetKeyFile] = SettingsFile.fleetKey.path(in: directory)
        return keys.filter { FileManager.default.fileExists(atPath: $0.value) }
    }

    private static func standards(directory: String?, state: String?) -> [String: String] {
        var values: [String: String] = [:]
        for key in ConfigurationKey.all { values[key.name] = key.standard }
        if let state { values[\.storeDirectory] = state }
        if let directory {
            let usual = KioskDirectories(state: "", configuration: directory)
            values[\.storeKeyFile] = usual.identityKeyFile
            values[\.trustFile] = usual.trustFile
        }
        return values
    }
}
