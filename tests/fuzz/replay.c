/* Runs a fuzz target over the files of corpus folders, where there is no libFuzzer: TARGET
 * FOLDER... */
#include "fuzz/target.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

enum { FILE_SIZE_MAX = 1 << 20, PATH_SIZE = 4096 };

/* Returns 1 when the file was run. */
static int run_file(const char *path) {
    FILE *file = fopen(path, "rbe");
    uint8_t *data = malloc(FILE_SIZE_MAX);
    size_t size = file && data ? fread(data, 1, FILE_SIZE_MAX, file) : 0;
    uint8_t *exact = malloc(size ? size : 1);
    int good = file && data && exact && !ferror(file);
    for (size_t i = 0; good && i < size; i++)
        exact[i] = data[i];
    if (good)
        LLVMFuzzerTestOneInput(exact, size);
    if (file)
        fclose(file);
    free(data);
    free(exact);
    return good;
}

static int run_folder(const char *folder) {
    DIR *directory = opendir(folder);
    int count = 0;
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        char path[PATH_SIZE];
        if (entry->d_name[0] == '.' ||
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= PATH_SIZE)
            continue;
        count += run_file(path);
    }
    if (directory)
        closedir(directory);
    return count;
}

int main(int count, char **words) {
    int files = 0;
    for (int i = 1; i < count; i++)
        files += run_folder(words[i]);
    printf("%d files\n", files);
    return files > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
