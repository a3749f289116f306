// SPDX-License-Identifier: Apache-2.0

extension KioskConfiguration {
    /// What counts when a running kiosk reads its settings again.
    ///
    /// - Parameter newer: what was read.
    /// - Returns: the newer values where a running kiosk can take them, and this one's elsewhere; and the names of
    ///   settings that were changed and count from the next start on.
    public func reread(_ newer: KioskConfiguration) -> (configuration: KioskConfiguration, deferred: [String]) {
        var result = newer
        result.settings = ConfigurationKey.all.flatMap { key in
            (key.isReread ? newer : self).settings.filter { key.matches($0.name) }
        }
        let names = Set(settings.map(\.name)).union(newer.settings.map(\.name)).sorted()
        let deferred = names.filter { name in
            ConfigurationKey.named(name)?.isReread == false && text(name) != newer.text(name)
        }
        return (result, deferred)
    }
}
