"""Every rule has a test that cites it: this table says which."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs" / "rules.md"

RULES: dict[str, tuple[str, ...]] = {
    "1.1": ("test_setup.py::test_pieces_of_five_colours_are_drawn",),
    "1.2": (
        "test_setup.py::test_the_bags_hold_150_pieces_at_first",
        "test_setup.py::test_a_fourth_head_of_a_colour_is_never_drawn",
    ),
    "1.3": (
        "test_setup.py::test_54_prophecies_of_which_the_red_ones_are_there_twice_and_15_temples",
        "test_setup.py::test_a_card_that_lies_elsewhere_cannot_be_turned_up",
    ),
    "1.4": (
        "test_setup.py::test_six_spaces_hold_two_bodies_two_a_head_and_two_a_tail",
        "test_setup.py::test_a_body_space_gets_two_bodies_and_nothing_else",
        "test_take_pieces.py::test_the_supply_board_has_ten_spaces",
    ),
    "1.5": (
        "test_setup.py::test_everybody_begins_with_an_empty_board_and_three_tokens",
        "test_take_pieces.py::test_a_full_board_takes_nothing",
    ),
    "2.1": (
        "test_setup.py::test_everybody_begins_with_an_empty_board_and_three_tokens",
        "test_setup.py::test_the_supply_board_is_filled_from_the_bags",
        "test_setup.py::test_a_table_may_play_without_tokens",
    ),
    "2.2": (
        "test_setup.py::test_turns_go_round_from_the_first_player",
        "test_setup.py::test_one_to_four_play",
        "test_setup.py::test_the_first_player_is_the_first_of_the_table",
    ),
    "2.3": (
        "test_setup.py::test_one_temple_each_and_the_rest_in_two_equal_piles",
        "test_setup.py::test_the_next_temple_of_a_pile_shows_at_once",
        "test_setup.py::test_an_emptied_pile_stays_empty",
        "test_assemble.py::test_only_the_top_of_a_pile_is_in_play",
    ),
    "2.4": (
        "test_setup.py::test_six_cards_are_revealed_and_each_player_is_dealt_one_more",
        "test_setup.py::test_three_of_the_cards_dealt_are_kept_at_most",
        "test_setup.py::test_fewer_cards_or_none_may_be_kept",
        "test_setup.py::test_nobody_acts_before_all_have_kept_their_cards",
    ),
    "3.1": (
        "test_take_pieces.py::test_all_that_lies_on_a_space_is_taken",
        "test_take_pieces.py::test_an_empty_space_has_nothing_to_take",
        "test_take_pieces.py::test_there_must_be_room_for_both_segments",
        "test_take_pieces.py::test_a_full_board_takes_nothing",
    ),
    "3.2": (
        "test_take_pieces.py::test_taking_the_last_bodies_fills_every_empty_space",
        "test_take_pieces.py::test_taking_the_last_head_or_tail_fills_every_empty_space",
        "test_take_pieces.py::test_nothing_is_filled_while_bodies_and_a_head_or_tail_are_left",
        "test_take_pieces.py::test_the_lowest_spaces_are_filled_as_far_as_the_bags_go",
        "test_solo_turn.py::test_taking_the_last_bodies_fills_every_empty_space",
        "test_solo_turn.py::test_taking_the_last_head_or_tail_fills_every_empty_space",
        "test_solo_turn.py::test_nothing_is_filled_while_bodies_and_a_head_or_tail_are_left",
        "test_solo_turn.py::test_pieces_come_onto_the_board_before_cards_into_the_row",
    ),
    "3.3": (
        "test_take_pieces.py::test_no_bodies_on_the_board_nor_for_a_space_in_the_bag_bring_the_end",
        "test_take_pieces.py::test_two_bodies_in_the_bag_fill_a_space_and_the_game_goes_on",
        "test_take_pieces.py::test_an_empty_bag_does_not_bring_the_end_while_bodies_lie_on_the_board",
    ),
    "3.4": (
        "test_choose_cards.py::test_two_cards_from_the_supply_and_one_from_the_deck_in_any_order",
        "test_choose_cards.py::test_five_in_hand_is_the_limit",
        "test_choose_cards.py::test_only_cards_that_lie_face_up_are_chosen",
        "test_choose_cards.py::test_with_nothing_to_take_no_card_is_chosen",
    ),
    "3.5": (
        "test_choose_cards.py::test_the_supply_is_refilled_to_six_at_the_end_of_the_turn",
        "test_choose_cards.py::test_a_blind_draw_leaves_the_supply_as_it_is",
    ),
    "3.6": (
        "test_assemble.py::test_a_coatl_begins_with_any_piece",
        "test_assemble.py::test_two_incomplete_coatls_are_the_most",
        "test_assemble.py::test_only_pieces_of_the_own_board_are_used",
        "test_assemble.py::test_steps_come_in_any_order_and_number",
    ),
    "3.7": (
        "test_assemble.py::test_a_piece_goes_to_the_end_that_was_said",
        "test_assemble.py::test_head_and_tail_are_the_ends",
    ),
    "3.8": ("test_assemble.py::test_placed_pieces_stay_where_they_are",),
    "3.9": (
        "test_assemble.py::test_a_coatl_holds_four_prophecies_at_most",
        "test_assemble.py::test_no_two_identical_prophecies_on_a_coatl",
        "test_assemble.py::test_a_card_is_placed_once_its_lowest_level_is_reached",
    ),
    "3.10": (
        "test_assemble.py::test_a_coatl_is_not_closed_if_no_prophecy_fits_it",
        "test_assemble.py::test_head_and_tail_are_never_joined_directly",
        "test_assemble.py::test_a_coatl_is_completed_before_anything_else_happens",
        "test_assemble.py::test_a_closed_coatl_is_not_completed_without_a_prophecy",
        "test_assemble.py::test_as_many_prophecies_as_wanted_join_the_closing_piece_four_in_all",
    ),
    "3.11": (
        "test_assemble.py::test_a_temple_comes_from_the_hand_or_the_top_of_a_pile",
        "test_assemble.py::test_placing_a_temple_is_optional",
        "test_assemble.py::test_a_temple_must_have_a_requirement_met",
        "test_assemble.py::test_a_temple_is_placed_only_right_after_the_closing_piece",
        "test_assemble.py::test_a_coatl_takes_one_temple",
    ),
    "3.12": (
        "test_assemble.py::test_nothing_is_added_to_a_complete_coatl",
        "test_assemble.py::test_the_value_of_a_complete_coatl_is_known_and_the_turn_goes_on",
    ),
    "3.13": (
        "test_assemble.py::test_the_third_complete_coatl_brings_the_end_after_the_turn",
        "test_assemble.py::test_the_second_complete_coatl_ends_nothing",
    ),
    "3.14": (
        "test_tokens.py::test_perfect_pick_takes_what_one_wants_out_of_a_bag",
        "test_tokens.py::test_perfect_pick_takes_a_head_a_tail_or_two_bodies",
        "test_tokens.py::test_perfect_pick_takes_only_colours_that_the_bag_has",
        "test_tokens.py::test_perfect_pick_needs_room",
        "test_tokens.py::test_after_perfect_pick_every_empty_space_is_filled",
        "test_tokens.py::test_each_token_is_used_once",
    ),
    "3.15": (
        "test_tokens.py::test_see_the_future_renews_the_supply_then_the_hand",
        "test_tokens.py::test_see_the_future_may_discard_the_whole_hand_or_nothing",
        "test_tokens.py::test_see_the_future_goes_on_with_the_discards",
        "test_tokens.py::test_each_token_is_used_once",
    ),
    "3.16": (
        "test_tokens.py::test_priest_commitment_takes_the_top_temple_of_a_pile",
        "test_tokens.py::test_temples_do_not_count_for_the_hand_limit",
        "test_tokens.py::test_each_coatl_takes_one_temple_and_the_others_score_nothing",
        "test_tokens.py::test_each_token_is_used_once",
    ),
    "4.1": ("test_satisfying.py::test_any_kind_of_piece_meets_a_colour",),
    "4.2": (
        "test_satisfying.py::test_a_piece_counts_once_on_a_card",
        "test_satisfying.py::test_different_cards_share_pieces",
    ),
    "4.3": (
        "test_satisfying.py::test_a_sequence_is_read_from_head_to_tail",
        "test_satisfying.py::test_the_end_where_a_piece_was_attached_matters",
    ),
    "4.4": ("test_satisfying.py::test_infinity_is_one_or_more_pieces",),
    "4.5": (
        "test_satisfying.py::test_a_crossed_out_piece_has_another_colour_or_is_not_there",
        "test_satisfying.py::test_two_occurrences_share_a_crossed_out_neighbour",
        "test_satisfying.py::test_a_later_piece_may_break_a_card",
        "test_satisfying.py::test_a_broken_card_scores_what_is_left_of_it",
    ),
    "4.6": ("test_satisfying.py::test_equal_exactly_and_no_colour",),
    "4.7": ("test_satisfying.py::test_only_the_highest_level_reached_scores",),
    "5.1": (
        "test_scoring_the_game.py::test_a_score_is_the_sum_over_completed_coatls",
        "test_scoring_the_game.py::test_cards_in_hand_and_pieces_score_nothing",
        "test_scoring_the_game.py::test_most_points_win",
    ),
    "5.2": (
        "test_scoring_the_game.py::test_a_tie_goes_to_more_cards_beside_completed_coatls",
        "test_scoring_the_game.py::test_cards_beside_incomplete_coatls_do_not_break_a_tie",
        "test_scoring_the_game.py::test_then_a_tie_goes_to_the_best_single_coatl",
        "test_scoring_the_game.py::test_what_is_still_a_tie_is_a_shared_victory",
    ),
    "5.3": ("test_scoring_the_game.py::test_a_marker_that_passes_50_gets_a_token",),
    "5.4": ("test_scoring_the_game.py::test_the_rulebooks_example_is_worth_17",),
    "6.1": (
        "test_game_end.py::test_the_example_of_four_players",
        "test_game_end.py::test_those_later_in_turn_order_have_two_actions_those_earlier_one",
        "test_game_end.py::test_the_second_action_is_optional_the_first_is_not",
        "test_game_end.py::test_a_turn_of_two_actions_takes_any_two",
    ),
    "6.2": (
        "test_game_end.py::test_without_bodies_all_have_equal_turns_and_then_one_more",
        "test_game_end.py::test_when_the_last_player_takes_the_last_bodies_only_the_final_turns_are_left",
        "test_game_end.py::test_when_the_first_player_takes_the_last_bodies_the_others_come_to_equal_turns",
    ),
    "6.3": (
        "test_game_end.py::test_a_third_coatl_after_the_bodies_ran_out_changes_nothing",
        "test_game_end.py::test_running_out_of_bodies_after_a_third_coatl_changes_nothing",
        "test_game_end.py::test_another_third_coatl_changes_nothing",
        "test_solo_end.py::test_a_third_coatl_after_the_last_bodies_changes_nothing",
        "test_solo_end.py::test_the_last_bodies_after_a_third_coatl_change_nothing",
    ),
    "7.1": (
        "test_solo_setup.py::test_the_bags_hold_16_bodies_3_heads_and_3_tails_of_each_colour",
        "test_solo_setup.py::test_two_players_still_have_24_bodies",
        "test_solo_setup.py::test_there_are_no_tokens",
        "test_solo_setup.py::test_adam_has_three_cards_in_a_row_from_left_to_right",
        "test_solo_setup.py::test_adams_cards_are_shown_and_come_from_the_deck",
        "test_solo_setup.py::test_adam_is_dealt_no_card_at_a_table_of_two",
        "test_solo_setup.py::test_five_cards_are_dealt_to_the_player",
        "test_solo_setup.py::test_neither_fewer_nor_more_than_three_are_kept",
        "test_solo_setup.py::test_exactly_three_are_kept_and_two_discarded",
        "test_solo_setup.py::test_hidden_cards_are_kept_by_three_as_well",
        "test_solo_setup.py::test_adam_has_the_first_turn_and_then_turns_alternate",
        "test_solo_setup.py::test_the_player_waits_while_adam_plays",
        "test_solo_setup.py::test_adam_plays_only_in_its_own_turn_and_only_at_a_solo_table",
        "test_solo_setup.py::test_two_temples_lie_face_up_on_two_piles_and_the_player_has_none",
    ),
    "7.2": (
        "test_solo_setup.py::test_the_row_of_the_setup_grows_at_the_left",
        "test_solo_setup.py::test_cards_slide_right_and_new_ones_come_in_at_the_left",
        "test_solo_setup.py::test_the_row_is_refilled_only_at_the_end_of_the_turn",
        "test_solo_setup.py::test_a_blind_draw_moves_no_card_of_the_row",
        "test_solo_setup.py::test_adam_takes_at_the_right_end_and_the_row_slides",
        "test_solo_setup.py::test_which_of_two_identical_cards_is_chosen_matters",
        "test_solo_setup.py::test_both_copies_are_listed_and_a_third_is_refused",
        "test_solo_setup.py::test_the_copy_left_at_the_right_end_is_adams_next_card",
        "test_solo_setup.py::test_adam_goes_through_the_spaces_in_the_order_of_their_numbers",
        "test_solo_turn.py::test_an_empty_deck_is_rebuilt_for_the_row",
    ),
    "7.3": (
        "test_solo_needs.py::test_every_prophecy_card_has_its_needs",
        "test_solo_needs.py::test_a_card_needs_the_pieces_of_its_highest_level",
        "test_solo_needs.py::test_with_exactly_these_pieces_a_card_is_fulfilled",
        "test_solo_needs.py::test_order_and_kind_of_the_pieces_do_not_matter",
        "test_solo_needs.py::test_a_card_of_ones_own_needs_what_it_shows",
        "test_solo_needs.py::test_a_card_that_shows_no_pieces_of_its_own_is_refused_by_name",
        "test_solo_needs.py::test_all_cards_that_are_refused_are_named_at_once",
        "test_solo_needs.py::test_temple_cards_may_ask_for_anything",
    ),
    "7.4": (
        "test_solo_turn.py::test_the_first_space_that_has_a_piece_for_the_leftmost_card_is_emptied",
        "test_solo_turn.py::test_the_lower_of_two_spaces_is_taken_even_if_it_has_fewer_wanted_pieces",
        "test_solo_turn.py::test_all_ten_spaces_are_searched_before_the_next_card_is_looked_at",
        "test_solo_turn.py::test_what_a_card_already_has_is_not_searched_for",
        "test_solo_turn.py::test_if_a_card_cannot_be_helped_the_next_one_is_searched_for",
        "test_solo_turn.py::test_if_no_card_can_be_helped_the_lowest_space_with_pieces_is_discarded",
        "test_solo_turn.py::test_why_the_lowest_space_is_taken_can_be_told_from_the_steps",
        "test_solo_turn.py::test_heads_and_tails_count_as_any_piece",
        "test_solo_turn.py::test_taking_the_last_bodies_fills_every_empty_space",
        "test_solo_turn.py::test_taking_the_last_head_or_tail_fills_every_empty_space",
        "test_solo_turn.py::test_nothing_is_filled_while_bodies_and_a_head_or_tail_are_left",
        "test_solo_turn.py::test_adam_takes_nothing_from_an_empty_board",
        "test_solo_turn.py::test_the_players_things_are_not_touched",
        "test_solo_explained.py::test_a_whole_turn_is_explained",
        "test_solo_explained.py::test_every_language_names_cards_spaces_and_pieces",
        "test_solo_explained.py::test_a_discard_is_explained_when_no_card_can_be_helped_and_when_there_is_none",
        "test_solo_levels.py::test_at_level_5_adam_searches_for_its_fourth_card_too",
    ),
    "7.5": (
        "test_solo_turn.py::test_the_first_space_that_has_a_piece_for_the_leftmost_card_is_emptied",
        "test_solo_turn.py::test_an_unwanted_piece_beside_a_wanted_one_leaves_the_game",
        "test_solo_turn.py::test_a_piece_found_on_the_way_goes_on_the_card_that_needs_it",
        "test_solo_turn.py::test_a_piece_that_two_cards_need_goes_on_the_left_one",
        "test_solo_turn.py::test_a_piece_too_many_goes_on_to_the_next_card_that_needs_it",
        "test_solo_turn.py::test_heads_and_tails_count_as_any_piece",
        "test_solo_turn.py::test_of_two_identical_cards_the_left_one_is_served_first",
        "test_solo_explained.py::test_a_whole_turn_is_explained",
        "test_solo_explained.py::test_an_explanation_tells_identical_cards_apart",
    ),
    "7.6": (
        "test_solo_turn.py::test_what_a_card_already_has_is_not_searched_for",
        "test_solo_turn.py::test_a_card_with_all_its_pieces_goes_to_the_fulfilled_pile",
        "test_solo_turn.py::test_pieces_of_a_fulfilled_card_are_offered_to_the_others_from_the_left",
        "test_solo_turn.py::test_what_one_card_has_no_use_for_is_offered_to_the_next",
        "test_solo_turn.py::test_pieces_go_to_a_card_at_the_left_too",
        "test_solo_turn.py::test_a_card_at_the_left_may_be_completed_by_one_at_its_right",
        "test_solo_turn.py::test_a_fulfilled_card_may_complete_the_next_and_that_one_a_third",
        "test_solo_turn.py::test_one_fulfilled_card_may_complete_two",
        "test_solo_turn.py::test_an_identical_card_gets_the_pieces_of_the_first",
        "test_solo_turn.py::test_two_identical_cards_may_be_fulfilled_at_once",
        "test_solo_turn.py::test_of_two_identical_cards_one_may_be_fulfilled_and_the_other_stay",
        "test_solo_explained.py::test_a_whole_turn_is_explained",
    ),
    "7.7": (
        "test_solo_turn.py::test_new_cards_join_at_the_right_from_the_right_end_of_the_supply",
        "test_solo_turn.py::test_without_a_fulfilled_card_no_card_is_taken",
        "test_solo_turn.py::test_an_empty_deck_is_rebuilt_for_the_row",
        "test_solo_turn.py::test_fulfilled_cards_never_come_back",
        "test_solo_turn.py::test_pieces_come_onto_the_board_before_cards_into_the_row",
        "test_solo_explained.py::test_a_whole_turn_is_explained",
    ),
    "7.8": (
        "test_solo_end.py::test_adam_scores_a_fulfilled_card_at_its_highest_level",
        "test_solo_end.py::test_adams_points_are_the_sum_over_its_fulfilled_cards",
        "test_solo_end.py::test_adam_never_takes_a_temple",
        "test_solo_end.py::test_the_player_must_score_more_than_adam",
        "test_solo_end.py::test_a_tie_is_adams_whatever_the_player_has_beside_the_coatls",
        "test_solo_end.py::test_without_any_point_adam_wins",
        "test_solo_end.py::test_at_level_1_more_points_do_not_help_without_a_temple",
        "test_solo_end.py::test_at_level_1_a_temple_on_the_last_coatl_saves_the_player",
        "test_solo_end.py::test_at_level_1_with_a_temple_but_too_few_points_the_player_loses",
        "test_solo_end.py::test_polish_half_points_count_against_adam_too",
        "test_solo_end.py::test_adams_unfinished_cards_score_nothing_in_any_edition",
    ),
    "7.9": (
        "test_solo_end.py::test_the_third_coatl_ends_the_game_with_the_players_turn",
        "test_solo_end.py::test_the_second_coatl_ends_nothing",
        "test_solo_end.py::test_no_bodies_left_in_the_players_turn_end_the_game",
        "test_solo_end.py::test_no_bodies_left_in_adams_turn_end_the_game_once_it_has_fulfilled",
        "test_solo_end.py::test_two_bodies_in_the_bag_are_enough_to_go_on",
        "test_solo_end.py::test_an_empty_bag_ends_nothing_while_bodies_lie_on_the_board",
    ),
    "7.10": (
        "test_solo_levels.py::test_there_are_five_levels",
        "test_solo_levels.py::test_levels_are_for_the_solo_game",
        "test_solo_levels.py::test_at_level_1_the_player_loses_without_a_temple",
        "test_solo_levels.py::test_at_level_1_one_temple_on_a_complete_coatl_is_enough",
        "test_solo_levels.py::test_at_level_1_a_temple_in_hand_is_no_help",
        "test_solo_levels.py::test_level_1_does_not_make_a_temple_compulsory_for_a_coatl",
        "test_solo_levels.py::test_at_level_2_four_in_hand_is_the_limit",
        "test_solo_levels.py::test_level_2_has_no_say_on_temples_in_hand",
        "test_solo_levels.py::test_at_level_3_no_second_card_of_a_colour_joins_a_coatl",
        "test_solo_levels.py::test_at_level_3_each_coatl_has_colours_of_its_own",
        "test_solo_levels.py::test_a_broken_card_still_takes_its_colour",
        "test_solo_levels.py::test_at_level_4_a_coatl_is_closed_only_if_four_cards_are_there_for_it",
        "test_solo_levels.py::test_without_level_4_one_card_is_enough",
        "test_solo_levels.py::test_level_4_leaves_incomplete_coatls_alone",
        "test_solo_levels.py::test_at_level_5_adam_begins_with_four_cards",
        "test_solo_levels.py::test_at_level_5_adam_searches_for_its_fourth_card_too",
        "test_solo_levels.py::test_there_are_32_combinations",
        "test_solo_levels.py::test_any_combination_of_levels_does_what_each_level_does",
        "test_solo_end.py::test_at_level_1_more_points_do_not_help_without_a_temple",
        "test_solo_end.py::test_at_level_1_a_temple_on_the_last_coatl_saves_the_player",
    ),
    "8.1": (
        "test_scoring_the_game.py::test_in_the_polish_edition_an_incomplete_coatl_scores_half",
        "test_editions.py::test_incomplete_coatls_score_half_rounded_down_only_in_polish",
        "test_editions.py::test_each_incomplete_coatl_is_rounded_on_its_own",
        "test_solo_end.py::test_polish_half_points_count_against_adam_too",
    ),
    "8.2": (
        "test_editions.py::test_a_fourth_coatl_may_be_begun_and_four_may_score",
        "test_editions.py::test_in_french_no_fourth_coatl_is_begun",
    ),
    "8.3": (
        "test_editions.py::test_in_french_a_token_is_only_the_first_action",
        "test_editions.py::test_in_french_a_second_token_is_no_second_action",
    ),
    "8.4": ("test_editions.py::test_the_value_of_a_completed_coatl_is_always_shown",),
    "8.5": ("test_editions.py::test_a_table_picks_an_edition",),
    "9.1": (
        "test_rulings.py::test_an_empty_deck_is_rebuilt_from_the_discards",
        "test_rulings.py::test_hand_discards_come_back_too",
        "test_rulings.py::test_what_see_the_future_just_discarded_comes_back",
        "test_rulings.py::test_without_discards_the_supply_stays_short",
        "test_hidden_hands.py::test_discarded_unknown_cards_come_back_with_the_rebuilt_deck",
    ),
    "9.2": (
        "test_rulings.py::test_whoever_can_do_nothing_else_passes",
        "test_rulings.py::test_nobody_else_may_pass",
        "test_rulings.py::test_a_token_that_cannot_be_used_does_not_forbid_passing",
        "test_rulings.py::test_when_all_pass_one_after_the_other_the_game_is_over",
        "test_solo_end.py::test_passing_does_not_end_the_game_while_adam_can_play",
        "test_solo_end.py::test_a_player_who_can_act_does_not_pass",
    ),
    "9.3": (
        "test_rulings.py::test_placing_a_temple_may_be_made_mandatory",
        "test_rulings.py::test_a_mandatory_temple_is_placed_only_if_one_fits",
        "test_rulings.py::test_every_option_has_its_default",
    ),
    "9.4": (
        "test_rulings.py::test_see_the_future_with_a_full_hand_and_no_discard_chooses_nothing",
        "test_rulings.py::test_see_the_future_with_room_takes_a_card_at_least",
        "test_rulings.py::test_see_the_future_with_no_card_left_in_the_game_takes_none",
    ),
    "9.5": (
        "test_solo_turn.py::test_a_coloured_need_goes_before_a_white_one",
        "test_solo_turn.py::test_a_piece_of_a_coloured_need_that_is_met_is_still_good_for_the_white_one",
        "test_solo_turn.py::test_the_steps_tell_a_white_need_from_a_coloured_one",
        "test_solo_turn.py::test_a_white_need_of_the_leftmost_card_beats_a_coloured_need_of_a_later_one",
        "test_solo_turn.py::test_a_coloured_need_of_the_left_card_beats_a_white_need_of_a_later_one",
        "test_solo_turn.py::test_in_the_search_a_white_need_is_met_by_any_piece",
        "test_solo_turn.py::test_a_white_need_takes_a_head_as_well",
        "test_solo_turn.py::test_pieces_are_placed_in_the_order_in_which_they_lie_on_the_space",
        "test_solo_turn.py::test_pieces_are_passed_on_in_the_order_in_which_they_lay_on_the_card",
        "test_solo_explained.py::test_a_whole_turn_is_explained",
    ),
    "9.6": (
        "test_rulings.py::test_spaces_have_numbers_bodies_first_then_heads_then_tails",
        "test_rulings.py::test_a_table_may_number_its_spaces_otherwise",
        "test_solo_setup.py::test_spaces_1_to_6_are_for_bodies_7_and_8_for_heads_9_and_10_for_tails",
        "test_solo_setup.py::test_adam_goes_through_the_spaces_in_the_order_of_their_numbers",
        "test_solo_setup.py::test_adam_goes_by_the_numbers_that_the_table_gives_the_spaces",
    ),
    "9.7": (
        "test_solo_levels.py::test_at_level_5_the_row_is_refilled_to_four_or_three",
        "test_solo_levels.py::test_level_5_refills_to_four_unless_the_table_says_three",
        "test_solo_levels.py::test_without_level_5_the_row_is_refilled_to_three",
    ),
    "9.8": (
        "test_solo_end.py::test_the_third_coatl_ends_the_game_with_the_players_turn",
        "test_solo_end.py::test_with_final_turns_adam_plays_once_more_after_the_third_coatl",
        "test_solo_end.py::test_no_bodies_left_in_the_players_turn_end_the_game",
        "test_solo_end.py::test_with_final_turns_both_play_once_more_after_the_player_took_the_last_bodies",
        "test_solo_end.py::test_no_bodies_left_in_adams_turn_end_the_game_once_it_has_fulfilled",
        "test_solo_end.py::test_in_its_last_turn_adam_still_places_pieces",
        "test_solo_end.py::test_with_final_turns_the_player_comes_to_equal_turns_first",
        "test_solo_end.py::test_each_final_turn_after_the_last_bodies_has_one_action",
        "test_solo_end.py::test_a_third_coatl_after_the_last_bodies_changes_nothing",
        "test_solo_end.py::test_the_last_bodies_after_a_third_coatl_change_nothing",
    ),
    "9.9": (
        "test_solo_setup.py::test_two_temples_lie_face_up_on_two_piles_and_the_player_has_none",
        "test_solo_setup.py::test_the_next_temple_of_a_pile_shows_when_the_top_was_placed",
        "test_solo_setup.py::test_a_table_may_deal_the_player_one_temple",
    ),
    "9.10": (
        "test_solo_turn.py::test_an_unwanted_piece_beside_a_wanted_one_leaves_the_game",
        "test_solo_turn.py::test_discarded_pieces_leave_the_game",
    ),
    "9.11": (
        "test_satisfying.py::test_with_closed_ends_an_open_end_is_not_no_piece",
        "test_satisfying.py::test_closed_ends_change_nothing_once_the_coatl_is_closed",
        "test_rulings.py::test_closed_ends_is_off_unless_chosen",
    ),
    "9.12": (
        "test_rulings.py::test_a_broken_card_still_is_the_one_that_a_coatl_needs",
        "test_rulings.py::test_a_broken_card_still_counts_for_the_limit_of_four_and_for_ties",
    ),
    "9.13": (
        "test_game_end.py::test_a_turn_of_two_actions_takes_any_two",
        "test_rulings.py::test_in_a_turn_of_two_actions_the_supply_is_refilled_at_its_end",
        "test_rulings.py::test_the_same_action_may_be_done_twice",
    ),
    "9.14": (
        "test_rulings.py::test_halved_coatls_do_not_break_ties",
        "test_rulings.py::test_what_the_tie_breaks_leave_is_shared",
    ),
    "9.15": (
        "test_solo_turn.py::test_a_fulfilled_card_may_complete_the_next_and_that_one_a_third",
        "test_solo_turn.py::test_one_fulfilled_card_may_complete_two",
        "test_solo_turn.py::test_of_two_cards_completed_at_once_the_left_one_comes_first",
        "test_solo_turn.py::test_two_completed_cards_give_each_other_nothing",
        "test_solo_turn.py::test_both_completed_cards_offer_their_pieces_the_left_one_first",
        "test_solo_turn.py::test_leftover_pieces_are_not_for_the_new_cards",
        "test_solo_turn.py::test_when_the_supply_runs_out_the_row_stays_short",
        "test_solo_turn.py::test_adam_plays_with_the_cards_it_has",
        "test_solo_turn.py::test_without_any_card_the_lowest_space_with_pieces_is_discarded",
        "test_solo_turn.py::test_the_last_card_fulfilled_leaves_adam_without_any",
        "test_solo_explained.py::test_a_whole_turn_is_explained",
        "test_solo_explained.py::test_a_discard_is_explained_when_no_card_can_be_helped_and_when_there_is_none",
    ),
    "9.16": (
        "test_solo_levels.py::test_at_level_2_the_setup_stays_as_it_is",
        "test_solo_levels.py::test_level_3_counts_from_the_first_card_of_an_incomplete_coatl",
        "test_solo_levels.py::test_level_3_holds_for_the_cards_placed_with_the_closing_piece",
        "test_solo_levels.py::test_at_level_4_a_coatl_is_closed_only_if_four_cards_are_there_for_it",
        "test_solo_levels.py::test_cards_placed_before_count_for_the_four",
        "test_solo_levels.py::test_the_four_are_different_and_fit",
        "test_solo_levels.py::test_a_card_that_only_the_closing_piece_satisfies_counts",
        "test_solo_levels.py::test_the_closing_piece_may_be_a_head",
        "test_solo_levels.py::test_filling_up_to_four_is_then_compulsory",
        "test_solo_levels.py::test_the_player_chooses_which_four_of_five",
        "test_solo_levels.py::test_levels_3_and_4_ask_for_four_colours",
        "test_solo_levels.py::test_at_levels_3_and_4_either_card_of_a_colour_will_do",
        "test_solo_levels.py::test_level_4_with_hidden_cards_allows_what_some_hand_allows",
        "test_solo_levels.py::test_hidden_cards_cannot_be_more_different_than_the_cards_there_are",
        "test_solo_levels.py::test_hidden_cards_are_none_of_those_that_lie_elsewhere",
        "test_solo_levels.py::test_a_hidden_card_cannot_mend_two_cards_of_a_colour",
        "test_solo_levels.py::test_hidden_cards_are_placed_so_that_four_can_still_be_reached",
        "test_solo_levels.py::test_at_level_4_two_cards_that_exclude_each_other_are_not_both_counted",
        "test_solo_levels.py::test_at_level_4_no_card_is_placed_that_shuts_out_the_fourth",
    ),
    "9.17": (
        "test_hidden_hands.py::test_cards_are_dealt_unknown",
        "test_hidden_hands.py::test_what_is_kept_is_counted",
        "test_hidden_hands.py::test_unknown_cards_count_for_the_hand_limit",
        "test_hidden_hands.py::test_placing_an_unknown_card_reveals_it",
        "test_hidden_hands.py::test_a_card_that_is_elsewhere_is_refused_and_it_is_said_where",
        "test_hidden_hands.py::test_of_a_red_card_there_is_a_second_copy",
        "test_hidden_hands.py::test_revealing_makes_a_card_known",
        "test_hidden_hands.py::test_a_closing_piece_is_legal_if_some_hand_could_place_a_card",
        "test_hidden_hands.py::test_a_hand_that_may_have_nothing_to_place_may_pass",
    ),
    "10.1": (
        "test_variants.py::test_promo_cards_join_the_decks",
        "test_variants.py::test_a_promo_prophecy_wants_pieces_in_any_order",
        "test_variants.py::test_a_promo_temple_minds_the_prophecies_beside_it",
        "test_variants.py::test_a_promo_temple_of_three_requirements",
    ),
    "10.2": (
        "test_variants.py::test_fewer_bodies_for_fewer_players",
        "test_variants.py::test_four_players_need_all_bodies",
    ),
    "10.3": (
        "test_variants.py::test_golden_segments_are_in_the_body_bag",
        "test_variants.py::test_a_golden_segment_is_taken_like_others_and_fills_a_space",
        "test_variants.py::test_nobody_builds_with_a_golden_segment",
        "test_variants.py::test_perfect_pick_takes_no_golden_segment",
        "test_variants.py::test_golden_segments_are_bodies_when_the_board_is_replenished",
        "test_variants.py::test_a_golden_segment_buys_bodies_from_an_opponent",
        "test_variants.py::test_only_bodies_that_the_opponent_has_are_taken",
        "test_variants.py::test_the_space_of_the_golden_segment_is_room",
    ),
}

CITED = re.compile(r"# rul(?:e|ing)s? (\d+\.\d+(?:, \d+\.\d+)*)")


def numbered() -> list[str]:
    """The numbers of all rules, as the documentation has them."""
    return re.findall(r"^- \*\*(\d+\.\d+)\*\*", DOCS.read_text("utf-8"), re.MULTILINE)


def cited_in(file: str) -> dict[str, set[str]]:
    """The rules that each test of a file cites in a comment."""
    source = (HERE / file).read_text("utf-8")
    lines = source.splitlines()
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            text = "\n".join(lines[node.lineno - 1 : node.end_lineno])
            found[node.name] = {rule for cited in CITED.findall(text) for rule in cited.split(", ")}
    return found


def test_the_documentation_numbers_the_rules() -> None:
    rules = numbered()
    assert len(rules) == len(set(rules))
    assert {rule.split(".")[0] for rule in rules} == {str(section) for section in range(1, 11)}


@pytest.mark.parametrize("rule", numbered())
def test_every_rule_has_tests_that_cite_it(rule: str) -> None:
    assert RULES.get(rule), f"no test for rule {rule}"
    for name in RULES[rule]:
        file, _, test = name.partition("::")
        cited = cited_in(file)
        assert test in cited, f"there is no test {name}"
        assert rule in cited[test], f"{name} does not cite rule {rule}"


def test_the_table_has_only_rules_that_exist() -> None:
    assert set(RULES) == set(numbered())


def test_tests_cite_only_rules_that_exist() -> None:
    for path in HERE.glob("test_*.py"):
        for test, cited in cited_in(path.name).items():
            assert cited <= set(numbered()), f"{path.name}::{test}"
