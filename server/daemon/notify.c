#include "server/daemon/notify.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* "@name" is a name in the abstract namespace, whose first byte is 0. Returns the size, 0: no
 * socket. */
static socklen_t manager_address(struct sockaddr_un *out) {
    const char *path = getenv("NOTIFY_SOCKET");
    size_t size = path ? strlen(path) : 0;
    if (size < 2 || size >= sizeof out->sun_path || (path[0] != '/' && path[0] != '@'))
        return 0;
    *out = (struct sockaddr_un){.sun_family = AF_UNIX};
    memcpy(out->sun_path, path, size);
    if (path[0] == '@')
        out->sun_path[0] = '\0';
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + size);
}

void tr_notify(const char *format, ...) {
    struct sockaddr_un address;
    char text[512];
    socklen_t address_size = manager_address(&address);
    if (address_size == 0)
        return;
    va_list args;
    va_start(args, format);
    int size = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return;
    if (size > 0 && (size_t)size < sizeof text)
        (void)!sendto(fd, text, (size_t)size, MSG_NOSIGNAL, (struct sockaddr *)&address,
                      address_size);
    close(fd);
}

uint64_t tr_notify_watchdog_ms(void) {
    const char *usec = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
    if (!usec || (pid && strtol(pid, NULL, 10) != (long)getpid()))
        return 0;
    unsigned long long allowed_us = strtoull(usec, NULL, 10);
    return allowed_us / 2000;
}
