// SPDX-License-Identifier: Apache-2.0

// Provisioning profiles: settings for a kiosk without a keyboard, signed by the operator and sealed for the kiosk.
// This module knows neither the meaning of settings nor where a kiosk keeps them.
