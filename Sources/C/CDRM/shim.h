// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <xf86drm.h>
#include <xf86drmMode.h>

// Requests whose macros combine others are not imported.
static const unsigned int cdrm_requests[] = {
    DRM_IOCTL_VERSION, DRM_IOCTL_GET_CAP, DRM_IOCTL_SET_CLIENT_CAP, DRM_IOCTL_SET_MASTER, DRM_IOCTL_DROP_MASTER,
    DRM_IOCTL_AUTH_MAGIC, DRM_IOCTL_MODE_GETRESOURCES, DRM_IOCTL_MODE_GETCONNECTOR, DRM_IOCTL_MODE_GETENCODER,
    DRM_IOCTL_MODE_GETCRTC, DRM_IOCTL_MODE_SETCRTC, DRM_IOCTL_MODE_CREATE_DUMB, DRM_IOCTL_MODE_MAP_DUMB,
    DRM_IOCTL_MODE_DESTROY_DUMB, DRM_IOCTL_MODE_ADDFB, DRM_IOCTL_MODE_RMFB, DRM_IOCTL_MODE_DIRTYFB,
};
static const int cdrm_request_count = sizeof(cdrm_requests) / sizeof(cdrm_requests[0]);
