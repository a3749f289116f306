// SPDX-License-Identifier: Apache-2.0

public import Backups
import Foundation

extension BackupSet {
    /// The first fault in settings and trust list of a backup; nil when they have none.
    public static func problem(in files: [BackupContent.File]) -> String? {
        for file in files {
            if let problem = settings(file)?.problems.first { return "\(problem)" }
            guard file.name == "trusted" else { continue }
            do throws(TrustFileError) { _ = try TrustFile(path: file.name).services(of: text(file)) } catch {
                return "\(error)"
            }
        }
        return nil
    }

    /// The value of `name` in a backup's settings, without drop-ins; nil when they have none.
    public static func value(of name: String, in files: [BackupContent.File]) -> String? {
        let read = files.filter { $0.directory == .settings } + files.filter { $0.directory == .dropIn }
        return read.compactMap { file in settings(file)?.entries.last { $0.name == name }?.value }.last
    }

    /// - Returns: nil for a file of another kind.
    private static func settings(_ file: BackupContent.File) -> ConfigurationFile? {
        let isSettings =
            switch file.directory {
            case .settings: file.name == "config.yaml"
            case .dropIn: true
            case .setup: file.name == "settings.yaml"
            case .keys: false
            }
        return isSettings ? ConfigurationFile(path: file.name, content: Data(text(file).utf8)) : nil
    }
}
