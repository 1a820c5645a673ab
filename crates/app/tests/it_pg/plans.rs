use crate::statements::played;

#[test]
fn no_plan_needs_statistics_of_the_size_of_the_table() {
    let (stage, texts) = played();
    stage.database.execute("ANALYZE");
    stage.database.fill();
    stage.database.check_plans(&texts);
    stage.database.execute("ANALYZE");
    stage.database.check_plans(&texts);
}
