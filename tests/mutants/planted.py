#!/usr/bin/env python3
"""Plants known defects in server, db and the mover, one at a time, and asks whether the simulation (tests/sim) finds each.

    tests/mutants/planted.py TREE [--seeds 1000] [--only WORD]

TREE is a clean checkout with a release build, which must not be the one that you work in: each file is changed, built, tried and
put back. Prints for each defect the seed that found it, or that it survived. Exit status: 0 if at least 55 of 60 were found."""
import argparse
import re
import subprocess
import sys
from pathlib import Path

# File, text that stands in it, what replaces the first one; of other kinds of runs the kind.
DEFECTS = [
    ("db/store/database.c", "PRAGMA synchronous = FULL; PRAGMA journal_size_limit", "PRAGMA synchronous = OFF; PRAGMA journal_size_limit"),
    ("server/recording/recording_file.c", "return fdatasync(file) == 0 ? TR_OK : failed(error);", "return file >= 0 ? TR_OK : failed(error);"),
    ("server/recording/recording_file.c", "fdatasync(file) == 0 &&", "file >= 0 &&"),
    ("server/recording/recording_file.c", "ftruncate(file, (off_t)size) == 0 &&", "size > 0 &&"),
    ("server/recording/recording_file.c", "        at += (size_t)written;", "        at += (size_t)written + 1;"),
    ("server/recording/recording_writer.c", "        w->file = -1;\n    }\n}\n\n/* --- on the loop", "    }\n}\n\n/* --- on the loop"),
    ("server/recording/recording_writer.c", "    w->writing = false;\n    release_queue", "    release_queue"),
    ("server/catalogue/catalogue_thread.c", "        uv_async_send(&thread->answers);\n", ""),
    ("server/catalogue/catalogue_thread.c", "        pthread_cond_signal(&thread->changed);\n        status = TR_OK;", "        status = TR_OK;"),
    ("server/catalogue/catalogue_thread.c", "        if (!job)\n            return;\n        job->done(job);", "        if (!job)\n            return;\n        job->done(job);\n        return;"),
    ("server/catalogue/catalogue_thread.c", "    deliver_answers(thread);\n    tr_catalogue_close", "    tr_catalogue_close"),
    ("server/catalogue/catalogue_thread.c", "    while (!thread->asked.first && !thread->ending)", "    if (!thread->asked.first && !thread->ending)"),
    ("server/world/task_pool.c", "    if (task->heap_index == 0)\n        tell_head(pool, task);", ""),
    ("server/world/task_pool.c", "    if (task->state == TR_TASK_RUNNING) {\n        task->woken = true;", "    if (task->state == TR_TASK_RUNNING) {\n        task->woken = false;"),
    ("server/world/task_pool.c", "            child++;\n        if", "            child += 0;\n        if"),
    ("server/world/task_pool.c", "    pool->ending = true;\n    pthread_cond_broadcast(&pool->changed);", "    pool->ending = true;"),
    ("server/world/task_pool.c", "            pool->held--;", "            pool->held++;"),
    ("server/net/channel_tcp.c", "uv_buf_init(buffers[i].base + skipped,", "uv_buf_init(buffers[i].base,"),
    ("server/net/channel_tcp.c", "        sent -= skipped;", "        sent -= sent;"),
    ("server/net/channel_tcp.c", "    if (count < 0)\n        base->listener->ended", "    if (count < -9999)\n        base->listener->ended"),
    ("server/net/channel_tcp.c", "    if (--channel->parts > 0)", "    if (--channel->parts > 1)"),
    ("server/net/listener.c", "    listener->waits = false;\n    accept_connection(listener);", "    listener->waits = false;"),
    ("db/store/catalogue.c", '"COMMIT"', '"ROLLBACK"'),
    # A rollback without memory is not settled later; pages that were not read are damage.
    ("db/store/database.c", "    if (!catalogue->begun && !catalogue->entered &&", "    if (catalogue->spoiled && !catalogue->entered &&"),
    ("db/store/database.c", "status == TR_DATA_LOSS ? check_once", "status == TR_ABORTED ? check_once"),
    ("server/recording/recordings.c", "if (!status && tr_recording_file_sync_folder(job->recordings->folder, &job->error))", "if (!status && job->error.status)"),
    ("server/recording/recording_writer.c", "if (!status && !synced && is_first)", "if (!status && !synced && is_first && w->size == 1)"),
    ("server/recording/recording_writer.c", "    w->closing = w->ending;", "    w->closing = false;"),
    ("server/recording/recordings.c", "    if (!is_being_written(written))\n        run_waiting(written);\n", ""),
    ("server/recording/recordings.c", "    tr_recording_writer_destroy(gone->writer);\n    free(gone);", "    free(gone);"),
    ("server/recording/replay.c", "    loop->epoch++; /* subscribers", "    /* subscribers"),
    ("server/requests/handle_recording.c", "    tr_packet_release(job->bytes);\n    free(job);", "    tr_packet_release(job->bytes);"),
    ("server/requests/handle_recording.c", "    tr_session_resume(session);\n", ""),
    ("server/match/matches.c", "    contest->storing = TR_STORING_NOTHING;\n", ""),
    ("server/match/matches.c", "    contest->phase = TR_CONTEST_CANCELLED;\n    contest->asker = asker;\n", "    contest->phase = TR_CONTEST_CANCELLED;\n"),
    ("server/match/matches.c", "    if (error->status) {\n        tr_match_refuse", "    if (error->status == TR_ALREADY_EXISTS) {\n        tr_match_refuse"),
    ("server/match/match_store.c", "tr_contest_saved(job->save.contest, job->count);", "tr_contest_saved(job->save.contest, job->count / 2);"),
    ("server/match/match_store.c", "for (int i = 0; i < count && !status; i++)\n            status = recall_match", "for (int i = 1; i < count && !status; i++)\n            status = recall_match"),
    ("server/match/matches.c", "        matches->turn = contest->next;\n    tr_contest_destroy(contest);", "        matches->turn = contest->next;"),
    ("server/match/contest.c", "    set_taken(contest, position, false);\n    contest->fighting--;", "    set_taken(contest, position, false);"),
    ("server/session/sessions.c", "if (at == sessions->count || tr_session_id(sessions->session[at]) != id)", "if (at == sessions->count)"),
    ("server/session/sessions.c", "return sessions->count > sessions->def.max;", "return sessions->count >= sessions->def.max;"),
    ("server/session/session.c", "    session->unanswered--;\n", ""),
    ("server/session/session.c", "    tr_ledger_leave(tr_sessions_unread(session->sessions), &session->unread);\n", ""),
    ("server/session/session.c", "        tr_gate_release(daemon_of(session)->gate, session->member);", "        session->member->sessions--;"),
    ("server/session/session.c", "    finish_when_idle(session);\n    tr_inlet_resume(&session->inlet);", "    finish_when_idle(session);"),
    ("server/session/session.c", "            session->member->subscriptions--;\n", ""),
    ("server/net/peers.c", "peer->welcome >= peers->limit", "peer->welcome > peers->limit"),
    ("server/net/peers.c", "    *(channel->crowded ? &peer->crowded : &peer->welcome) -= 1;\n", "    (void)channel;\n"),
    ("server/net/ledger.c", "    *place_of(ledger, party->key) = party->next;\n    free(party);", "    *place_of(ledger, party->key) = party->next;"),
    ("server/net/outlet.c", "    if (outlet->end == &node->next)\n        outlet->end = at;\n", ""),
    ("server/net/outlet.c", "    tell_held(outlet);\n    tr_outlet_pump(outlet);\n    if", "    tell_held(outlet);\n    if"),
    ("server/access/member.c", "limit == 0 || count < limit", "limit == 0 || count <= limit"),
    ("server/requests/dispatch.c", "if (!status && member->role < role)", "if (!status && member->role + 1 < role)"),
    ("server/requests/handle_command.c", "            tr_session_refuse(session, posting->request, error);\n        tr_command_destroy(command);", "            tr_session_refuse(session, posting->request, error);"),
    ("server/requests/handle_command.c", "    if (request.session)\n        tr_session_resume(request.session);\n", ""),
    ("server/world/subscription.c", "if (!s->def.events && !(s->def.fields & inputs))", "if (!s->def.events && !(s->def.fields | inputs))"),
    ("server/world/publisher.c", "    publisher->slot[slot].sequence++;\n", ""),
    ("server/world/hosted_world.c", "    if (held_up && !out->closed)", "    if (held_up && out->closed)"),
    ("server/world/hosted_world.c", "    if (!status)\n        tr_task_pool_wake(hosted->pool, &hosted->task);\n    return status;", "    return status;"),
    ("server/world/reset_point.c", "    loop->fault_rule = saved->fault_rule;\n", ""),
    ("server/world/reset_point.c", "    loop->seed = saved->seed;\n", ""),
    ("server/world/reset_point.c", "loop->label[loop->label_count++] = saved->label[i];", "loop->label[loop->label_count++].entity = saved->label[i].entity;"),
    ("server/world/worlds.c", "    worlds->slot[place] = NULL;\n    worlds->count--;", "    worlds->slot[place] = NULL;"),
    ("server/world/world_loop.c", "loop->steps.first->stamp.tick <= reached", "loop->steps.first->stamp.tick < reached"),
    ("server/catalogue/catalogue_thread.c", "    thread->ending = true;\n    pthread_cond_signal(&thread->changed);", "    thread->ending = true;"),
    ("server/training/trainings.c", "    refuse(t->all, t->asker, error);\n    forget(t);", "    forget(t);"),
    ("server/training/training_process.c", "    int failed = spawn(p, environment);\n    free(environment);", "    int failed = spawn(p, environment);"),
    # The checks of server and physics notice these: sums, counts and places that do not agree, and a wider cone.
    ("server/net/ledger.c", "    party->bytes += holder->bytes;\n", ""),
    ("server/net/outlet.c", "        outlet->event_bytes -= node->packet->size;", "        outlet->event_bytes -= 0;"),
    ("server/world/subscription.c", "    all->count--;\n", ""),
    ("server/world/task_pool.c", "    task->heap_index = at;\n", "    task->heap_index = at / 2;\n"),
    ("server/world/hosted_world.c", "        hosted->states_waiting += !unread;\n", "        hosted->states_waiting++;\n"),
    ("server/match/contest.c", "    contest->unsaved_count -= count;\n", "    contest->unsaved_count = 0;\n"),
    ("controllers/physics/scene/scene.c", "        world->character_id[i] = world->character_id[i + 1];\n", ""),
    ("controllers/physics/collide/contact.c", "    contact->depth = touch->depth;", "    contact->depth = 100 * touch->depth;"),
    ("controllers/physics/kernels/solver.c", "    double limit = block->friction[k] * normal;",
     "    double limit = 1.1 * block->friction[k] * normal;"),
    # A subscription that replaces another leaves a gap in the events.
    ("server/world/subscription.c", "        tr_subscription_end(replaced);\n",
     "        all->source->set_events(all->world, false), tr_subscription_end(replaced),\n"
     "            all->source->set_events(all->world, all->event_count > 0);\n"),
    # Moves: an end without a hold, a hold for ever, no claim before the end, a copy that stays, a lost answer, a copy that runs.
    ("server/world/move.c", "if (tr_hosted_move(hosted)->holder == session)", "if (hosted && session != 0)", "move"),
    ("server/world/worlds.c", "if (is_over(worlds, move->ends_ms)) {", "if (is_over(worlds, move->ends_ms) && move->holder == 0) {", "move"),
    ("client/cli/commands/move_world.c", "code = keep_target(m);", "code = m->target ? TR_EXIT_OK : keep_target(m);", "move"),
    ("client/cli/commands/move_world.c", "def.owner_leaves = TR_CLIENT_OWNER_LEAVES_DESTROY;",
     "def.owner_leaves = TR_CLIENT_OWNER_LEAVES_KEEP;", "move"),
    ("client/cli/commands/move_world.c", "is = learn_fate(m);", "is = m->hold_s > 0 ? HERE : learn_fate(m);", "move"),
    ("server/world/world_loop.c", "return loop->held_by != 0 || loop->arriving;", "return loop->held_by != 0;", "move"),
    # Relays: silence, a lost connection, states that were left out, another daemon, questions without an answer.
    ("server/relay/upstream.c", "++upstream->unheard > PINGS_UNHEARD", "++upstream->unheard > 100 * PINGS_UNHEARD", "relay"),
    ("server/relay/upstream.c", "connect_again, upstream->retry_ms, 0);", "connect_again, 100 * upstream->retry_ms, 0);", "relay"),
    ("server/relay/relayed_world.c", "slot->sequence += state->dropped - slot->dropped;", "slot->sequence += 0;", "relay"),
    ("server/relay/relay.c", ": welcome->instance != relay->instance;", ": welcome->instance == 0;", "relay"),
    ("server/relay/relay.c", "tr_inquiries_fail(&relay->inquiries, &error);", "(void)error;", "relay"),
]
BAR = 55 / 60
LIMIT_S = 60  # of processor, for a seed that takes 0.1 s


def run(tree, *command):
    return subprocess.run(command, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def try_tree(tree, seeds, kind=""):
    """What the simulation says of the tree as it is now. Each seed is a process, and one that does not end is a failure."""
    built = run(tree, "cmake", "--build", "--preset", "release", "-j2", "--target", "test_sim")
    if built.returncode != 0:
        return "refused"
    tried = run(tree, "bash", "-c", f"ulimit -t {LIMIT_S} && exec build/release/tests/sim/test_sim 1 {seeds} {kind}")
    if tried.returncode == 0:
        return "survived"
    found = re.search(r"seed \d+ failed.*|seed \d+: signal \d+", tried.stdout)
    return found.group(0) if found else f"found: status {tried.returncode}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--seeds", type=int, default=1000)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if run(options.tree, "git", "status", "--porcelain", "--untracked-files=no").stdout:
        sys.exit(f"{options.tree}: has changes; give a clean checkout")
    verdict = try_tree(options.tree, options.seeds)
    if verdict != "survived":
        sys.exit(f"{options.tree}: fails before anything is planted: {verdict}")
    found = tried = 0
    for path, old, new, *kind in DEFECTS:
        file = options.tree / path
        source = file.read_text()
        if options.only not in path:
            continue
        if old not in source:
            print(f"{path}: no longer has: {old!r}", flush=True)
            continue
        try:
            file.write_text(source.replace(old, new, 1))
            verdict = try_tree(options.tree, options.seeds, *kind)
        finally:
            file.write_text(source)
        if verdict != "refused":
            tried += 1
            found += verdict != "survived"
        print(f"{path}: {old.strip()!r}: {verdict}", flush=True)
    print(f"{found} of {tried} planted defects were found")
    return 0 if tried and found >= BAR * tried else 1


if __name__ == "__main__":
    sys.exit(main())
