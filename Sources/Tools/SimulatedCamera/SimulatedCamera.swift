// SPDX-License-Identifier: Apache-2.0

// A simulated camera: it fetches a page and its QR picture like a browser and films them. It is the only frame source
// that uses the network, so the confined scanner does not contain it. It does not decode the picture. The swarm of
// `login-kiosk-dev` polls login pages by the same rule.
