// SPDX-License-Identifier: Apache-2.0

import CV4L2
import KioskPorts
import LinuxSystem

extension VideoDevice {
    private static let maximumControls = 256

    /// All controls that take a number.
    borrowing func controls() -> [CameraControl] {
        var found: [CameraControl] = []
        var query = v4l2_queryctrl()
        for _ in 0..<VideoDevice.maximumControls {
            query.id |= UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
            guard (try? control(UInt(cv4l2_query_control), &query)) != nil else { break }
            let kinds = [
                V4L2_CTRL_TYPE_INTEGER, V4L2_CTRL_TYPE_BOOLEAN, V4L2_CTRL_TYPE_MENU, V4L2_CTRL_TYPE_INTEGER_MENU,
            ]
            guard kinds.contains(where: { $0.rawValue == query.type }),
                query.flags & UInt32(V4L2_CTRL_FLAG_DISABLED) == 0
            else { continue }
            var current = v4l2_control(id: query.id, value: 0)
            let isTold = (try? control(UInt(cv4l2_get_control), &current)) != nil
            found.append(
                CameraControl(
                    id: query.id, name: VideoDevice.name(CText.string(query.name)), minimum: query.minimum,
                    maximum: query.maximum, standard: query.default_value, value: isTold ? current.value : nil))
        }
        return found
    }

    /// Sets controls in order.
    borrowing func set(_ wanted: [CameraSettings.Control]) throws(FrameSourceError) {
        guard !wanted.isEmpty else { return }
        let offered = controls()
        for one in wanted {
            for step in ControlAlias.steps(one) {
                guard let known = offered.first(where: { step.id == $0.id || $0.name == step.name }) else {
                    if step.isOptional { continue }
                    throw FrameSourceError(
                        .invalidSource, at: path, problem: "has no control '\(one.name)'",
                        remedy: "it has: \(offered.map(\.name).joined(separator: ", "))")
                }
                try set(known, to: step.value, for: one.name)
            }
        }
    }

    private borrowing func set(_ known: CameraControl, to value: Int32, for name: String) throws(FrameSourceError) {
        let problem = FrameSourceError(
            .invalidSource, at: path, problem: "does not take \(name)=\(value)",
            remedy: "give \(known.minimum) to \(known.maximum); \(known.standard) is usual")
        guard known.minimum...max(known.minimum, known.maximum) ~= value else { throw problem }
        var setting = v4l2_control(id: known.id, value: value)
        do throws(SystemFailure) { try control(UInt(cv4l2_set_control), &setting) } catch {
            guard error.code == EINVAL || error.code == ERANGE || error.code == EACCES else {
                throw CameraFault.error(error, at: path, trying: "set \(name)")
            }
            throw problem
        }
    }

    static func name(_ text: String) -> String {
        text.lowercased().split { !($0.isLetter || $0.isNumber) }.joined(separator: "_")
    }
}
