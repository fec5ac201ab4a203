#include "cli/listing.h"

#include <stdio.h>

int tr_cli_list(tr_cli *cli, const tr_cli_listing *listing, const tr_client_query *query) {
    json_t *rows = json_array();
    char token[256] = "";
    do {
        tr_client_query page = *query;
        page.page_token = token;
        const tr_client_reply *reply = NULL;
        int code = tr_cli_ask(cli, listing->ask(cli->client, &page), &reply);
        if (code) {
            json_decref(rows);
            return code;
        }
        const tr_mapping *mapping = listing->mapping;
        const char *from = (const char *)reply->models; /* any list: all share this place */
        for (int i = 0; i < reply->count; i++, from += mapping->size)
            json_array_append_new(rows, listing->row ? listing->row(from)
                                                     : tr_view(mapping, from, listing->words));
        snprintf(token, sizeof token, "%s", reply->next_page_token);
    } while (token[0]);
    if (listing->arrange && !cli->json)
        rows = listing->arrange(rows);
    bool filtered = query->prefix || query->skeleton || query->skill || query->model;
    return tr_output_list(cli, rows, listing->columns, filtered ? "none match" : listing->empty);
}
