// SPDX-License-Identifier: Apache-2.0

extension KioskConfiguration {
    /// Reads a kiosk's configuration. Faults are in ``problems``; an invalid value is not used.
    ///
    /// - Parameters:
    ///   - directory: the directory with `config.yaml` and `config.d`; nil when there is none. For an installed kiosk's
    ///     directory, those of ``KioskDirectories/layers(of:)`` are read.
    ///   - state: the usual directory of the identities; nil when there is none.
    ///   - environment: the process's environment.
    ///   - options: settings by name from the command's options.
    ///   - staged: a profile to read as if it were installed; nil for the installed one.
    public init(
        directory: String?, state: String?, environment: [String: String], options: [String: String] = [:],
        staged: ProfileDirectory.Current? = nil
    ) {
        self.init(
            SettingSources(
                layers: directory.map(KioskDirectories.layers) ?? [], directory: directory, state: state,
                environment: environment, options: options, staged: staged))
    }

    init(_ sources: SettingSources) {
        profileDirectory = sources.profileDirectory
        profileProblem = sources.profileProblem
        files = sources.files.map(\.path)
        problems = sources.files.flatMap(\.problems) + [profileProblem].compactMap(\.self)
        for (key, name) in sources.names {
            guard let (text, origin) = sources.look(name) else { continue }
            let value = key.plain(text)
            if !value.isEmpty { settings.append(ConfiguredSetting(name: name, value: value, origin: origin)) }
            if let problem = key.problem(name, value) { problems.append(ConfigurationProblem(problem, at: origin)) }
        }
        problems += sources.unknownVariables + incompleteGroups
    }

    private var incompleteGroups: [ConfigurationProblem] {
        incomplete("keypads", besides: keypads.map(\.name), "has no driver")
            + incomplete("signing.documents", besides: documents.map(\.name), "has no file")
            + incomplete("signing.applications", besides: applications.map(\.name), "needs both, service and address")
    }

    /// Reports groups below `parent` that are not among the `complete` ones, once for each of their settings.
    private func incomplete(
        _ parent: String, besides complete: [String], _ lack: String
    ) -> [ConfigurationProblem] {
        group(parent).compactMap { setting, value in
            let name = ConfigurationKey.parts(setting)[0]
            guard !complete.contains(name) else { return nil }
            return ConfigurationProblem("\(parent).\(name) \(lack)", at: value.origin)
        }
    }
}
