// SPDX-License-Identifier: Apache-2.0

import CDRM
import Display

/// Sets the picture of a panel: by atomic commits if the driver supports them and a test commit succeeds, else by the
/// legacy calls.
struct ModeSetting {
    private let descriptor: Int32
    private let output: DRMOutput
    private let buffer: UInt32
    /// Nil for the legacy calls.
    private let properties: AtomicProperties?

    /// - Parameter buffer: of the size of the output's mode, at a card that this process holds.
    init(_ descriptor: Int32, _ output: DRMOutput, buffer: UInt32) {
        let onTrial = UInt32(DRM_MODE_ATOMIC_TEST_ONLY | DRM_MODE_ATOMIC_ALLOW_MODESET)
        let properties = AtomicProperties(descriptor, output, buffer: buffer)
        let isTaken = properties.map { $0.commit($0.lit, onTrial) == 0 } ?? false
        (self.descriptor, self.output, self.buffer) = (descriptor, output, buffer)
        self.properties = isTaken ? properties : nil
    }

    /// Shows the whole buffer, or nothing: without a picture the panel gets no signal, and sleeps.
    ///
    /// - Returns: zero, or the kernel's reason, as `errno` has it.
    func light(_ isOn: Bool) -> Int32 {
        if let properties {
            return properties.commit(isOn ? properties.lit : properties.dark, UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET))
        }
        guard isOn else { return -drmModeSetCrtc(descriptor, output.crtc, 0, 0, 0, nil, 0, nil) }
        var (connector, mode) = (output.connector, output.mode)
        return unsafe -drmModeSetCrtc(descriptor, output.crtc, buffer, 0, 0, &connector, 1, &mode)
    }

    /// Reports changed parts of the buffer. A driver that shows the buffer itself needs no report, and refuses it.
    func changed(_ parts: [Rectangle]) {
        if let properties, let clips = properties.damageClips {
            let changes = parts.map { part in
                drm_mode_rect(
                    x1: Int32(part.x), y1: Int32(part.y), x2: Int32(part.x + part.width),
                    y2: Int32(part.y + part.height))
            }
            guard let blob = AtomicProperties.blob(of: changes, descriptor) else { return }
            _ = properties.commit([clips.to(UInt64(blob))], 0)
            drmModeDestroyPropertyBlob(descriptor, blob)
            return
        }
        var clips = parts.map { part in
            drmModeClip(
                x1: UInt16(part.x), y1: UInt16(part.y), x2: UInt16(part.x + part.width),
                y2: UInt16(part.y + part.height))
        }
        _ = unsafe drmModeDirtyFB(descriptor, buffer, &clips, UInt32(clips.count))
    }
}

/// The properties of connector, controller and plane that show a buffer on a panel.
private struct AtomicProperties {
    /// A property of an object, and its value.
    struct Value {
        let object: UInt32
        let property: UInt32
        var value: UInt64

        func to(_ value: UInt64) -> Value { Value(object: object, property: property, value: value) }
    }

    let lit: [Value]
    let dark: [Value]
    /// The parts of the buffer that have changed; nil for a driver that does not ask.
    let damageClips: Value?
    private let descriptor: Int32

    /// - Returns: nil for a driver without atomic mode setting.
    init?(_ descriptor: Int32, _ output: DRMOutput, buffer: UInt32) {
        guard drmSetClientCap(descriptor, UInt64(DRM_CLIENT_CAP_ATOMIC), 1) == 0,
            let plane = AtomicProperties.plane(for: output, descriptor),
            // Closing the card releases the mode.
            let mode = AtomicProperties.blob(of: [output.mode], descriptor)
        else { return nil }
        let connector = AtomicProperties.values(of: output.connector, UInt32(DRM_MODE_OBJECT_CONNECTOR), descriptor)
        let crtc = AtomicProperties.values(of: output.crtc, UInt32(DRM_MODE_OBJECT_CRTC), descriptor)
        let (width, height) = (UInt64(output.width), UInt64(output.height))
        let wanted: [(Value?, UInt64)] = [
            (connector["CRTC_ID"], UInt64(output.crtc)), (crtc["MODE_ID"], UInt64(mode)), (crtc["ACTIVE"], 1),
            (plane["FB_ID"], UInt64(buffer)), (plane["CRTC_ID"], UInt64(output.crtc)), (plane["CRTC_X"], 0),
            (plane["CRTC_Y"], 0), (plane["CRTC_W"], width), (plane["CRTC_H"], height), (plane["SRC_X"], 0),
            // In 65,536ths of a pixel.
            (plane["SRC_Y"], 0), (plane["SRC_W"], width << 16), (plane["SRC_H"], height << 16),
        ]
        lit = wanted.compactMap { $0?.to($1) }
        guard lit.count == wanted.count, let active = crtc["ACTIVE"] else { return nil }
        dark = [active.to(0)]
        damageClips = plane["FB_DAMAGE_CLIPS"]
        self.descriptor = descriptor
    }

    /// - Returns: zero, or the kernel's reason, as `errno` has it.
    func commit(_ values: [Value], _ flags: UInt32) -> Int32 {
        // Safe: the request is released below.
        let request = unsafe drmModeAtomicAlloc()
        defer { unsafe drmModeAtomicFree(request) }
        for value in values { unsafe drmModeAtomicAddProperty(request, value.object, value.property, value.value) }
        return unsafe -drmModeAtomicCommit(descriptor, request, flags, nil)
    }

    /// Values as the kernel keeps them for properties.
    ///
    /// - Returns: its number of them; nil when it has no room.
    static func blob<Element: BitwiseCopyable>(of elements: [Element], _ descriptor: Int32) -> UInt32? {
        var number: UInt32 = 0
        // Safe: the elements are lent for the call.
        let code = unsafe elements.withUnsafeBytes { bytes in
            unsafe drmModeCreatePropertyBlob(descriptor, bytes.baseAddress, bytes.count, &number)
        }
        return code == 0 ? number : nil
    }

    /// The values of the controller's own plane.
    private static func plane(for output: DRMOutput, _ descriptor: Int32) -> [String: Value]? {
        guard let planes = unsafe drmModeGetPlaneResources(descriptor) else { return nil }
        defer { unsafe drmModeFreePlaneResources(planes) }
        for index in 0..<Int(unsafe planes.pointee.count_planes) {
            guard let plane = unsafe drmModeGetPlane(descriptor, planes.pointee.planes[index]) else { continue }
            defer { unsafe drmModeFreePlane(plane) }
            let (number, crtcs, crtc) = unsafe (
                plane.pointee.plane_id, plane.pointee.possible_crtcs, plane.pointee.crtc_id
            )
            guard crtcs & 1 << UInt32(output.crtcIndex) != 0, crtc == 0 || crtc == output.crtc else { continue }
            let values = values(of: number, UInt32(DRM_MODE_OBJECT_PLANE), descriptor)
            if values["type"]?.value == UInt64(DRM_PLANE_TYPE_PRIMARY) { return values }
        }
        return nil
    }

    /// The values of an object, by the names of its properties.
    private static func values(of object: UInt32, _ type: UInt32, _ descriptor: Int32) -> [String: Value] {
        guard let list = unsafe drmModeObjectGetProperties(descriptor, object, type) else { return [:] }
        defer { unsafe drmModeFreeObjectProperties(list) }
        var values: [String: Value] = [:]
        for index in 0..<Int(unsafe list.pointee.count_props) {
            let (number, value) = unsafe (list.pointee.props[index], list.pointee.prop_values[index])
            guard let property = unsafe drmModeGetProperty(descriptor, number) else { continue }
            defer { unsafe drmModeFreeProperty(property) }
            // Safe: the name is copied while it is lent. The kernel ends it with a zero.
            let name = unsafe withUnsafeBytes(of: property.pointee.name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            values[name] = Value(object: object, property: number, value: value)
        }
        return values
    }
}
