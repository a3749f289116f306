// SPDX-License-Identifier: Apache-2.0

import Configuration
import Foundation
import LinuxSystem
import Synchronization

extension KioskConfiguration {
    /// Reads a kiosk's configuration. Faults are in ``problems``; an invalid value is left out.
    ///
    /// - Parameters:
    ///   - directory: the directory with `config.yaml` and `config.d`; nil when there is none. For an installed
    ///     kiosk's directory those of ``KioskDirectories/layers(of:)`` count.
    ///   - state: the usual directory of the identities; nil when there is none.
    ///   - environment: the process's environment.
    ///   - options: settings by name from the command's options.
    ///   - staged: a setup to read as if it were installed; nil for the installed one.
    public init(
        directory: String?, state: String?, environment: [String: String], options: [String: String] = [:],
        staged: SetupDirectory.Current? = nil
    ) {
        self.init(
            layers: directory.map(KioskDirectories.layers) ?? [], directory: directory, state: state,
            environment: environment, options: options, staged: staged)
    }

    /// - Parameters:
    ///   - layers: directories with settings, the weakest first.
    ///   - directory: the directory of trust list and key, unless a setting names others.
    init(
        layers folders: [String], directory: String?, state: String?, environment: [String: String],
        options: [String: String] = [:], staged: SetupDirectory.Current? = nil
    ) {
        var files = KioskConfiguration.files(in: folders)
        let keyFile =
            environment[ConfigurationKey.environmentVariable("store.key-file")]
            ?? files.compactMap { file in file.entries.last { $0.name == "store.key-file" }?.value }.last
        // Not beside a credential, which belongs to the service manager while the program runs.
        let keys = keyFile.map { String($0.prefix(upTo: $0.lastIndex(of: "/") ?? $0.startIndex)) } ?? directory
        setupDirectory = keys.map { SetupDirectory(keys: $0.isEmpty ? "." : $0) }
        let setup = KioskConfiguration.setup(in: setupDirectory, staged)
        let setupPlaces = setup.places
        if let file = setup.file { files.append(file) }
        setupProblem = setup.problem
        self.files = files.map(\.path)
        problems = files.flatMap(\.problems) + [setup.problem].compactMap(\.self)

        let credentials = KioskConfiguration.credentials(in: environment)
        let standards = KioskConfiguration.standards(directory: directory, state: state)
        // The strongest first.
        let layers: [(provider: any ConfigProvider, origin: (String) -> ConfigurationOrigin)] =
            [
                (
                    KioskConfiguration.provider(options),
                    { .commandLine(ConfigurationKey.named($0)?.option ?? "command line") }
                ),
                (
                    EnvironmentVariablesProvider(environmentVariables: environment)
                        .prefixKeys(with: ["login", "kiosk"]),
                    { .environment(ConfigurationKey.environmentVariable($0)) }
                ),
                (KioskConfiguration.provider(credentials), { .credential(path: credentials[$0] ?? "") }),
                (KioskConfiguration.provider(setupPlaces), { .file(path: setupPlaces[$0] ?? "", line: nil) }),
            ]
            + files.reversed().map { file in
                (
                    InMemoryProvider(name: file.path, values: file.values),
                    { .file(path: file.path, line: file.line(of: $0)) }
                )
            }
            + [(KioskConfiguration.provider(standards), { _ in .standard })]

        let winner = WinningLayer()
        let reader = ConfigReader(providers: layers.map(\.provider), accessReporter: winner)
        let variables = KioskConfiguration.variables(in: environment)
        for (key, name) in KioskConfiguration.names(saidIn: files) {
            let value = key.read(name, from: reader)
            let layer = winner.take()
            if let value, let layer {
                settings.append(ConfiguredSetting(name: name, value: value, origin: layers[layer].origin(name)))
            } else if let layer {
                problems.append(
                    ConfigurationProblem("'\(name)' is \(key.kind.expectation)", at: layers[layer].origin(name)))
            }
        }
        let known = Set(KioskConfiguration.names(saidIn: files).map { ConfigurationKey.environmentVariable($0.name) })
        problems += variables.filter { !known.contains($0) }.map { variable in
            let gone = ConfigurationKey.gone.first { ConfigurationKey.environmentVariable($0.key) == variable }
            let reason = gone.map { "'\($0.key)' \($0.value)" } ?? "no setting has this name"
            return ConfigurationProblem(reason, at: .environment(variable))
        }
        problems += ConfiguredKeypad.problems(in: self)
        problems += ConfiguredDocument.problems(in: self) + ConfiguredApplication.problems(in: self)
    }

    /// Reads the current setup once: a command may install another one meanwhile.
    private static func setup(
        in place: SetupDirectory?, _ staged: SetupDirectory.Current?
    ) -> (file: ConfigurationFile?, places: [String: String], problem: ConfigurationProblem?) {
        if let staged { return (ConfigurationFile(reading: staged.settings), staged.places, nil) }
        do throws(FileFault) {
            guard let place, var setup = try place.current() else { return (nil, [:], nil) }
            while true {
                let read = (file: ConfigurationFile(reading: setup.settings), places: setup.places)
                guard let after = try place.current(), after != setup else {
                    let problem = place.problem(of: setup).map {
                        ConfigurationProblem($0, at: .file(path: setup.folder, line: nil))
                    }
                    return (problem == nil ? read.file : nil, read.places, problem)
                }
                setup = after
            }
        } catch { return (ConfigurationFile(path: error.path, fault: error), [:], nil) }
    }

    private static func provider(_ values: [String: String]) -> InMemoryProvider {
        InMemoryProvider(
            values: Dictionary(
                uniqueKeysWithValues: values.map { name, value in
                    let content: ConfigContent =
                        ConfigurationKey.named(name)?.kind == .flag ? .bool(value == "true") : .string(value)
                    return (AbsoluteConfigKey(ConfigurationKey.parts(name)), ConfigValue(content, isSecret: false))
                }))
    }

    /// All settings with fixed names, and of the others those that a file names.
    private static func names(saidIn files: [ConfigurationFile]) -> [(key: ConfigurationKey, name: String)] {
        let said = files.flatMap { $0.entries.map(\.name) }
        return ConfigurationKey.all.flatMap { key in
            guard key.name.contains("*") else { return [(key, key.name)] }
            var seen: Set<String> = []
            return said.filter { key.matches($0) && seen.insert($0).inserted }.map { (key, $0) }
        }
    }

    private static func variables(in environment: [String: String]) -> [String] {
        environment.keys.filter { $0.hasPrefix(ConfigurationKey.environmentPrefix) }.sorted()
    }

    /// The strongest `config.yaml`, and then the drop-ins of all layers in the order of their names. A file masks
    /// those of its name in weaker layers.
    private static func files(in folders: [String]) -> [ConfigurationFile] {
        let main = folders.reversed().lazy.map { ConfigurationFile(reading: "\($0)/config.yaml") }.first(
            where: \.isThere)
        var places: [String: String] = [:]
        var faults: [ConfigurationFile] = []
        for folder in folders {
            do throws(FileFault) {
                for name in try dropIns(in: "\(folder)/config.d") { places[name] = "\(folder)/config.d/\(name)" }
            } catch {
                faults.append(ConfigurationFile(path: "\(folder)/config.d", fault: error))
            }
        }
        let files = places.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .filter { !isMask($0.value) }.map { ConfigurationFile(reading: $0.value) }
        return ([main].compactMap(\.self) + faults + files).filter(\.isThere)
    }

    private static func dropIns(in directory: String) throws(FileFault) -> [String] {
        // A user who may add a file there could set everything.
        try OwnedFile.judge(directory, .unaltered, .directory)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else {
            throw FileFault(.refused(EACCES), path: directory)
        }
        return names.filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }
    }

    /// Whether it is a link to `/dev/null`, with which an operator switches off a file of a weaker layer.
    private static func isMask(_ path: String) -> Bool {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == "/dev/null"
    }

    /// Keys from the service manager (systemd.exec, `LoadCredentialEncrypted=`).
    private static func credentials(in environment: [String: String]) -> [String: String] {
        guard let directory = environment["CREDENTIALS_DIRECTORY"], !directory.isEmpty else { return [:] }
        let keys = ["store.key-file": "identities.key", "fleet.key-file": "fleet.key"].mapValues {
            "\(directory)/\($0)"
        }
        return keys.filter { FileManager.default.fileExists(atPath: $0.value) }
    }

    private static func standards(directory: String?, state: String?) -> [String: String] {
        var values: [String: String] = [:]
        for key in ConfigurationKey.all { values[key.name] = key.standard }
        if let state { values["store.directory"] = state }
        if let directory {
            let usual = KioskDirectories(state: "", configuration: directory)
            values["store.key-file"] = usual.identityKeyFile
            values["trust-file"] = usual.trustFile
        }
        return values
    }
}

extension ConfigurationKey {
    /// - Returns: nil when no source sets it, or when the value is not allowed.
    fileprivate func read(_ name: String, from reader: ConfigReader) -> String? {
        let key = ConfigKey(ConfigurationKey.parts(name))
        guard kind != .flag else { return reader.bool(forKey: key).map { $0 ? "true" : "false" } }
        guard let value = reader.string(forKey: key), !value.isEmpty else { return nil }
        if case .choice(let words) = kind, !words.contains(value) { return nil }
        return value
    }
}

extension ConfigurationKey.Kind {
    fileprivate var expectation: String {
        switch self {
        case .text: "a text that is not empty"
        case .flag: "true or false"
        case .choice(let words): "one of \(words.joined(separator: ", "))"
        }
    }
}

/// Notes which of the reader's providers had the last value, or an invalid one.
private final class WinningLayer: AccessReporter {
    private let layer = Mutex<Int?>(nil)

    func report(_ event: AccessEvent) {
        layer.withLock { layer in
            layer = event.providerResults.firstIndex { answer in
                guard case .success(let answer) = answer.result else { return true }
                return answer.value != nil
            }
        }
    }

    func take() -> Int? {
        layer.withLock { layer in
            defer { layer = nil }
            return layer
        }
    }
}
