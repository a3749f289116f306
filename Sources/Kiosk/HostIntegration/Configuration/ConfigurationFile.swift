// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem
import Yams

/// One file of settings, in YAML: maps of maps of single values.
struct ConfigurationFile {
    struct Entry: Equatable {
        let name: String
        let value: String
        let line: Int
    }

    /// A longer file is a mistake, not a configuration.
    static let maximumLength = 16 * 1024
    /// The settings' names have at most four parts.
    private static let maximumDepth = 4

    let path: String
    private(set) var entries: [Entry] = []
    private(set) var problems: [ConfigurationProblem] = []
    /// The texts by the settings' names, with flags as `true` or `false`.
    private(set) var values: [String: String] = [:]
    /// Whether anything of this name exists, even if it cannot be read.
    private(set) var isThere = true

    /// Reads a file. A missing file has no settings. A file that other users could have changed has none either.
    init(reading path: String) {
        self.path = path
        do throws(FileFault) {
            parse(Data(try OwnedFile.read(path, upTo: ConfigurationFile.maximumLength)))
        } catch {
            complain(error)
        }
    }

    /// - Parameter fault: why nothing can be read at `path`.
    init(path: String, fault: FileFault) {
        self.path = path
        complain(fault)
    }

    init(path: String, content: Data) {
        self.path = path
        parse(content)
    }

    func line(of name: String) -> Int? { entries.last { $0.name == name }?.line }

    private mutating func parse(_ data: Data) {
        guard data.count <= ConfigurationFile.maximumLength, let text = String(data: data, encoding: .utf8) else {
            complain("expected UTF-8 text of at most \(ConfigurationFile.maximumLength) bytes")
            return
        }
        // YAML ends a line at a lone CR and at some other characters, an operator's editor does not.
        do throws(TextLines.ControlCharacter) { _ = try TextLines.split(text) } catch {
            complain("\(error)", line: error.line)
            return
        }
        do {
            // An empty file, or one of comments, has no root.
            guard let root = try compose(yaml: text), !ConfigurationFile.isNull(root) else { return }
            guard case .mapping(let map) = root else {
                complain("expected 'name: value' lines", line: root.mark?.line)
                return
            }
            read(map, below: "", depth: 1)
        } catch let error as YamlError {
            complain(error)
        } catch {
            complain("this is not YAML")
        }
    }

    private mutating func read(_ map: Node.Mapping, below group: String, depth: Int) {
        for (key, node) in map {
            let line = key.mark?.line
            guard let part = key.string, !part.isEmpty, !part.contains(".") else {
                complain("a setting's name is a word without points", line: line)
                continue
            }
            let name = group + part
            let isGroup = ConfigurationKey.all.contains { $0.lies(in: name) }
            guard isGroup || ConfigurationKey.named(name) != nil else {
                let reason = ConfigurationKey.gone[name] ?? "is not a setting; login-kiosk config show lists them"
                complain("'\(name)' \(reason)", line: line)
                continue
            }
            switch node {
            // No value: a group or a setting with its lines commented out.
            case _ where ConfigurationFile.isNull(node): break
            case .mapping(let inner) where isGroup && depth < ConfigurationFile.maximumDepth:
                read(inner, below: name + ".", depth: depth + 1)
            case .scalar(let scalar) where !isGroup: set(name, scalar, line: line ?? 0)
            default:
                complain("'\(name)' is \(isGroup ? "a group of settings" : "a single value")", line: line)
            }
        }
    }

    private mutating func set(_ name: String, _ scalar: Node.Scalar, line: Int) {
        guard let kind = ConfigurationKey.named(name)?.kind else { return }
        // In any of YAML's spellings.
        let flag = Bool.construct(from: scalar).map { "\($0)" }
        guard kind != .flag || flag != nil else { return complain("'\(name)' is true or false", line: line) }
        let isFlag = if case .choice(let words) = kind { words.contains("true") } else { kind == .flag }
        entries.append(Entry(name: name, value: scalar.string, line: line))
        values[name] = isFlag ? flag ?? scalar.string : scalar.string
    }

    private static func isNull(_ node: Node) -> Bool {
        guard case .scalar(let scalar) = node else { return false }
        return NSNull.construct(from: scalar) != nil
    }

    private mutating func complain(_ fault: FileFault) {
        switch fault.cause {
        case .missing: isThere = false
        case .tooLong: complain("expected UTF-8 text of at most \(ConfigurationFile.maximumLength) bytes")
        default: complain(fault.advice)
        }
    }

    private mutating func complain(_ message: String, line: Int? = nil) {
        problems.append(ConfigurationProblem(message, at: .file(path: path, line: line)))
    }

    private mutating func complain(_ error: YamlError) {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            complain("this is not YAML: \(problem)", line: mark.line)
        case .duplicatedKeysInMapping(let duplicates, let context):
            let names = duplicates.sorted().joined(separator: ", ")
            complain("said twice: \(names)", line: context.mark.line)
        default: complain("this is not YAML")
        }
    }
}
