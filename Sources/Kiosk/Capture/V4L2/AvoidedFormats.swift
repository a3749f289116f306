// SPDX-License-Identifier: Apache-2.0

/// Formats of cameras that come last, because they delivered nothing of use.
struct AvoidedFormats {
    enum Reason: Equatable {
        /// Frames of this format could not be decoded, in any size.
        case undecodable
        /// No frame of this size came, in any format.
        case silent
        /// The camera did not start in this size, for the reason that the driver gave.
        case refused(String)
        /// The bus has no room for frames of this format with this number of pixels.
        case noRoom
    }

    private struct Entry {
        let path: String
        let format: DeliveredFormat
        let reason: Reason
        let since: Duration

        /// A driver may answer with another format than it was asked for: both are meant.
        func concerns(_ other: CameraFormat) -> Bool {
            let meant = [CameraFormat(format), format.asked ?? CameraFormat(format)]
            return switch reason {
            case .undecodable: meant.contains { $0.code == other.code }
            case .silent, .refused: meant.contains { $0.width == other.width && $0.height == other.height }
            case .noRoom:
                meant.contains { $0.code == other.code && other.width * other.height >= $0.width * $0.height }
            }
        }

        var text: String {
            let size = "\(format.width) x \(format.height)"
            return switch reason {
            case .undecodable: "frames in \(format.code) cannot be decoded"
            case .silent: "no frames in \(size)"
            case .refused(let reason): "does not start in \(size) (\(reason))"
            case .noRoom: "no room on its bus for \(format.code) \(size)"
            }
        }
    }

    /// The time after which a format has another chance: the camera may have been slow once.
    private static let memory = Duration.seconds(24 * 3600)

    private var entries: [Entry] = []

    mutating func insert(_ reason: Reason, _ format: DeliveredFormat, at path: String, now: Duration = .zero) {
        entries.append(Entry(path: path, format: format, reason: reason, since: now))
    }

    mutating func removeAll() { entries.removeAll() }

    mutating func removeOld(now: Duration) { entries.removeAll { now - $0.since >= AvoidedFormats.memory } }

    /// - Parameter path: the device file of the camera.
    func contains(_ format: CameraFormat, at path: String) -> Bool {
        entries.contains { $0.path == path && $0.concerns(format) }
    }

    func contains(_ format: DeliveredFormat, at path: String) -> Bool {
        contains(CameraFormat(format), at: path) || format.asked.map { contains($0, at: path) } == true
    }

    func count(at path: String) -> Int { entries.count { $0.path == path } }

    /// The reasons in words, without those that concern `format`, which is in use.
    func texts(at path: String, but format: DeliveredFormat? = nil) -> [String] {
        entries.filter { entry in
            entry.path == path && format.map { entry.concerns(CameraFormat($0)) } != true
        }.reduce(into: []) { if !$0.contains($1.text) { $0.append($1.text) } }
    }
}
