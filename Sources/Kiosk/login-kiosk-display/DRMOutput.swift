// SPDX-License-Identifier: Apache-2.0

import CDRM
import Display
import KioskPorts

/// A connector with a panel, a mode of the panel, and a controller that can feed it.
struct DRMOutput {
    let connector: UInt32
    let crtc: UInt32
    /// The place of the controller among those of the card.
    let crtcIndex: Int
    let mode: drmModeModeInfo
    /// Zero when the panel does not report its size.
    let millimetres: (width: Int, height: Int)
    var width: Int { Int(mode.hdisplay) }
    var height: Int { Int(mode.vdisplay) }

    /// - Parameter name: of the connector.
    init(_ descriptor: Int32, _ name: String, path: String) throws(DRMCard.Obstacle) {
        guard let resources = unsafe drmModeGetResources(descriptor) else {
            throw .missing("\(path): it drives no panel")
        }
        defer { unsafe drmModeFreeResources(resources) }
        for index in 0..<Int(unsafe resources.pointee.count_connectors) {
            guard let state = unsafe drmModeGetConnector(descriptor, resources.pointee.connectors[index]) else {
                continue
            }
            defer { unsafe drmModeFreeConnector(state) }
            guard let type = unsafe drmModeGetConnectorTypeName(state.pointee.connector_type),
                unsafe "\(String(cString: type))-\(state.pointee.connector_type_id)" == name
            else { continue }
            guard unsafe state.pointee.connection == DRM_MODE_CONNECTED,
                let mode = unsafe DRMOutput.mode(of: state.pointee),
                let crtc = unsafe DRMOutput.crtc(for: state.pointee, resources.pointee, descriptor)
            else { throw .missing("\(path): no panel is connected to \(name)") }
            (connector, self.mode) = (unsafe state.pointee.connector_id, mode)
            (self.crtc, crtcIndex) = (unsafe resources.pointee.crtcs[crtc], crtc)
            millimetres = (Int(unsafe state.pointee.mmWidth), Int(unsafe state.pointee.mmHeight))
            return
        }
        throw .missing("\(path): it has no connector \(name)")
    }

    /// The mode that the panel prefers, or its first.
    private static func mode(of connector: drmModeConnector) -> drmModeModeInfo? {
        // Safe: the connector has that many modes.
        let modes = (0..<Int(unsafe connector.count_modes)).map { unsafe connector.modes[$0] }
        let usable = modes.filter { Panel.sides.contains(Int($0.hdisplay)) && Panel.sides.contains(Int($0.vdisplay)) }
        return usable.first { $0.type & UInt32(DRM_MODE_TYPE_PREFERRED) != 0 } ?? usable.first
    }

    /// The place of the controller that feeds the panel already, so that another panel keeps its own; else of the first
    /// that can.
    private static func crtc(for connector: drmModeConnector, _ resources: drmModeRes, _ descriptor: Int32) -> Int? {
        let crtcs = (0..<min(Int(unsafe resources.count_crtcs), 32)).map { unsafe resources.crtcs[$0] }
        let encoders = (0..<Int(unsafe connector.count_encoders)).map { unsafe connector.encoders[$0] }
        var first: Int?
        for number in encoders {
            guard let encoder = unsafe drmModeGetEncoder(descriptor, number) else { continue }
            defer { unsafe drmModeFreeEncoder(encoder) }
            let (current, possible) = unsafe (encoder.pointee.crtc_id, encoder.pointee.possible_crtcs)
            if unsafe number == connector.encoder_id, let place = crtcs.firstIndex(of: current) { return place }
            first = first ?? crtcs.indices.first { possible & 1 << UInt32($0) != 0 }
        }
        return first
    }
}
