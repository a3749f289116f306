// SPDX-License-Identifier: Apache-2.0

import Display
import KioskPorts

/// A panel that the program has taken, with the picture on it.
struct OpenPanel {
    private let surface: any PanelSurface
    private let canvas: Canvas
    private let text: PangoText
    private let rotation: DisplaySettings.Rotation
    private var design: ScreenDesign
    /// The scene on the panel; nil before the first.
    private(set) var scene: Scene?
    private var isLit = true

    init(_ surface: any PanelSurface, _ settings: DisplaySettings, _ text: PangoText) throws(DRMCard.Obstacle) {
        guard text.hasLetters else { throw .missing("there is no font; install fonts-open-sans or fonts-dejavu-core") }
        let isSideways = settings.rotation.isSideways
        let (width, height) = isSideways ? (surface.height, surface.width) : (surface.width, surface.height)
        guard let canvas = Canvas(width: width, height: height, text: text) else {
            throw .missing("the picture has no room in memory")
        }
        self.surface = surface
        self.canvas = canvas
        self.text = text
        rotation = settings.rotation
        design = OpenPanel.design(of: canvas, for: surface, by: settings, text: text)
    }

    /// The panel as the parent learns of it.
    var state: PanelState {
        .shown(
            Panel(
                width: canvas.width, height: canvas.height, documentRoom: design.documentRoom,
                codeRoom: design.codeRoom))
    }

    /// Draws by settings of the same rotation from now on, and the whole panel again.
    mutating func adopt(_ settings: DisplaySettings) {
        design = OpenPanel.design(of: canvas, for: surface, by: settings, text: text)
        scene = nil
    }

    /// Draws what has changed, unless the panel stays dark, and switches its light.
    ///
    /// - Parameter isNewPicture: whether the camera's picture differs from the one before.
    /// - Returns: false when another program has taken the panel.
    mutating func draw(
        _ shown: ShownView, at now: ContinuousClock.Instant, _ preview: PreviewPicture?, isNewPicture: Bool
    ) -> Bool {
        guard isLit || !shown.view.isAsleep else { return true }
        let new = design.scene(of: shown.view, share: shown.share(at: now)).touched(at: shown.touched)
        var parts = new.damage(since: scene)
        if isNewPicture, let place = new.previewPlace, !parts.contains(where: { $0.contains(place) }) {
            parts.append(place)
        }
        scene = new
        if !parts.isEmpty {
            canvas.paint(new, parts, preview: preview)
            surface.show(canvas, parts, rotation)
        }
        guard isLit == shown.view.isAsleep else { return true }
        isLit.toggle()
        return surface.light(isLit)
    }

    /// The design of a picture for a panel, as the person sees it.
    private static func design(
        of canvas: Canvas, for surface: any PanelSurface, by settings: DisplaySettings, text: PangoText
    ) -> ScreenDesign {
        let own = surface.millimetres
        return ScreenDesign(
            width: canvas.width, height: canvas.height, settings: settings, text: text,
            millimetres: settings.rotation.isSideways ? (own.height, own.width) : own)
    }
}
