// SPDX-License-Identifier: Apache-2.0

public import Backups
import Encoding
import Foundation

extension [BackupContent.File] {
    /// The first fault in settings and trust list of a backup; nil when they have none.
    public var settingsProblem: String? {
        for file in self {
            if let problem = file.settings?.problems.first { return "\(problem)" }
            guard file.name == SettingsFile.trustList.rawValue else { continue }
            do throws(TrustFileError) { _ = try TrustFile(path: file.name).services(of: file.text) } catch {
                return "\(error)"
            }
        }
        return nil
    }

    /// The value of a setting in `config.yaml` and drop-ins, which win; nil when none of them sets it.
    public func value(of setting: String) -> String? {
        let read = filter { $0.directory == .settings } + filter { $0.directory == .dropIn }
        return read.compactMap { file in file.settings?.entries.last { $0.name == setting }?.value }.last
    }
}

extension BackupContent.File {
    /// The content; invalid UTF-8 is replaced.
    var text: String {
        content.withBytes { content in String(decoding: content.indices.map { content[$0] }, as: UTF8.self) }
    }

    /// Nil for a file without settings.
    fileprivate var settings: ConfigurationFile? {
        let isSettings =
            switch directory {
            case .settings: name == SettingsFile.configuration.rawValue
            case .dropIn: true
            case .profile: name == SettingsFile.profileSettings.rawValue
            case .keys: false
            }
        return isSettings ? ConfigurationFile(path: name, content: Data(text.utf8)) : nil
    }
}
