case $HEADWAY_ROUND in
  1) sed -i 's/a - b/a + b/' calc.py ;;
  2) rm test_calc.py ;;
  3) sed -i 's/return a$/return a * 2/' calc.py ;;
esac
