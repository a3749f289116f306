// SPDX-License-Identifier: Apache-2.0

import HostIntegration
import Keypads

extension KioskConfiguration {
    /// The keypads that are configured; one that makes no sense is left out.
    func keypadSpecifications() -> [KeypadSpecification] { keypads.compactMap { try? KeypadSpecification($0) } }
}

extension KeypadSpecification {
    init(_ configured: ConfiguredKeypad) throws(KeypadSpecificationError) {
        try self.init(driver: configured.driver.value, settings: configured.options.mapValues(\.value))
    }
}
