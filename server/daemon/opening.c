#include "server/daemon/opening.h"

#include "db/bundles/bundle.h"
#include "server/config/log.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

tr_status tr_make_state_dir(const tr_options *options, tr_error *error) {
    const char *path = options->config.state_dir;
    struct stat info;
    if (mkdir(path, 0750) == 0)
        return TR_OK;
    if (errno == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return TR_OK;
    return tr_fail(error, TR_PERMISSION_DENIED, "--state-dir %s: %s", path, strerror(errno));
}

static const char *shipped_bundle(const tr_options *options) {
    if (options->config.shipped[0] != '\0')
        return options->config.shipped;
    return access(TR_SHIPPED_INSTALLED, R_OK) == 0 ? TR_SHIPPED_INSTALLED : TR_SHIPPED_BUILT;
}

/* Imports the shipped bundle, at the first start only. If it is missing, the daemon starts with an
 * empty catalogue. */
static tr_status install_shipped(const tr_options *options, tr_catalogue *catalogue,
                                 tr_error *error) {
    const char *path = shipped_bundle(options);
    bool installed = false;
    tr_error why = {0};
    if (strcmp(path, "none") == 0)
        return TR_OK;
    tr_status status = tr_bundle_install_shipped(catalogue, path, &installed, &why);
    if (status == TR_NOT_FOUND && options->config.shipped[0] == '\0') {
        tr_log_line(TR_LOG_WARN, "catalogue.no_shipped_bundle", "path=\"%s\"", path);
        return TR_OK;
    }
    if (installed)
        tr_log_line(TR_LOG_INFO, "catalogue.shipped_bundle", "path=\"%s\"", path);
    return !status ? TR_OK : tr_fail(error, status, "%s", why.message);
}

static tr_status import_bundles(const tr_options *options, tr_catalogue *catalogue,
                                tr_error *error) {
    for (int i = 0; i < options->bundle_count; i++) {
        tr_bundle_report report;
        tr_status status =
            tr_bundle_import(catalogue, options->bundle[i], TR_BUNDLE_RENAME, &report, error);
        if (status)
            return status;
        const tr_bundle_counts *count = &report.controllers;
        tr_log_line(count->renamed ? TR_LOG_WARN : TR_LOG_INFO, "catalogue.bundle",
                    "path=\"%s\" added=%d present=%d renamed=%d", options->bundle[i], count->added,
                    count->present, count->renamed);
    }
    return TR_OK;
}

tr_status tr_open_catalogue(const tr_options *options, tr_catalogue **out, tr_error *error) {
    char path[2 * TR_OPTION_TEXT_MAX];
    if (options->config.catalogue[0] != '\0')
        snprintf(path, sizeof path, "%s", options->config.catalogue);
    else
        snprintf(path, sizeof path, "%s/catalogue.sqlite", options->config.state_dir);
    tr_catalogue *catalogue = NULL;
    mode_t before = umask(027); /* other users cannot read a catalogue made here */
    tr_status status = tr_catalogue_open(path, TR_CATALOGUE_CREATE, &catalogue, error);
    umask(before);
    if (status)
        return status;
    status = install_shipped(options, catalogue, error);
    if (!status)
        status = import_bundles(options, catalogue, error);
    return TR_GIVE(status, catalogue, tr_catalogue_close, out);
}
